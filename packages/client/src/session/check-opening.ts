import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { OpenSessionOptions, SessionSetup } from "./open-options.js";

type Opening = "newSession" | "loadSession" | "resumeSession" | "openSession" | "forkSession";

/**
 * Checks the arguments of the methods that open a session, because no compiler finds misspelt members in JavaScript.
 *
 * @throws {InvalidOptionError} for the first member that is missing or misspelt.
 */
export function checkOpening(caller: Opening, setup: unknown, options: unknown): void {
  const sessionId = caller === "openSession" ? "value" : "value!";
  checkOptions<object>(caller, setup, { ...(caller !== "newSession" && { sessionId }), ...setupKinds });
  checkOptions<object>(caller, options, { ...openKinds, ...(caller === "openSession" && preferKinds) });
}

const setupKinds: OptionKinds<SessionSetup> = {
  cwd: "value!",
  mcpServers: "value",
  additionalDirectories: "value",
  systemPrompt: "value",
  meta: "value",
};

const preferKinds: OptionKinds<Pick<OpenSessionOptions, "prefer">> = { prefer: ["resume", "load"] };

const openKinds: OptionKinds<Omit<OpenSessionOptions, "prefer">> = {
  onUpdate: "function",
  options: "value",
  signal: "value",
};
