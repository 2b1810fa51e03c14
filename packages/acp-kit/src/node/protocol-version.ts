import type { AgentConnection, ConnectAgentOptions } from "@acp-kit/client";
import { v2 } from "@acp-kit/v2/client";
import { Option } from "commander";
import { CommandFailure } from "./command-failure.js";
import { ExitCode } from "./exit-code.js";

/** The versions of the protocol that a command offers to an agent; `auto` offers both, and the agent chooses. */
export const protocolChoices = ["1", "2", "auto"] as const;

export type ProtocolChoice = (typeof protocolChoices)[number];

/** `--protocol 1|2|auto`: the version of the protocol to use. */
export function protocolOption(preset: ProtocolChoice): Option {
  return new Option("--protocol <version>", "the version of the protocol; auto: the highest that the agent speaks")
    .choices(protocolChoices)
    .default(preset);
}

/** Returns the versions that a connection offers in addition to version 1. */
export function versionsOf(choice: ProtocolChoice): Pick<ConnectAgentOptions, "versions"> {
  return choice === "1" ? {} : { versions: [v2] };
}

/**
 * Checks the version that the agent has chosen.
 *
 * @throws {CommandFailure} when the user has asked for version 2 only.
 */
export function assertVersion(choice: ProtocolChoice, { protocolVersion, info }: AgentConnection): void {
  if (choice !== "2" || protocolVersion === 2) return;
  const name = info?.name ?? "The agent";
  throw new CommandFailure(
    ExitCode.agentFailed,
    `${name} speaks version ${protocolVersion} of the protocol, but not version 2. Try --protocol auto.`,
  );
}
