import { setTimeout as sleep } from "node:timers/promises";
import { type AgentConnection, connectAgent, type DecidePermission } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";
import { workspaceFiles, workspaceTerminals } from "@acp-kit/workspace";
import { announcedFiles, announcedTerminals } from "./announced.js";
import { Renderer } from "./render.js";
import type { Screen } from "./screen.js";
import { columns, cut, cyan, dim, yellow } from "./style.js";
import type { Traffic } from "./traffic.js";
import type { Witness } from "./witness.js";

/**
 * The parameters of {@link connect}: the agent's command, the folder, and the objects that show, record and count
 * messages.
 */
export interface Cast {
  readonly command: readonly [command: string, ...args: string[]];
  readonly cwd: string;
  readonly screen: Screen;
  readonly witness: Witness;
  readonly traffic: Traffic;
}

/**
 * A connection to the agent: with the agent's process id, the number of open terminals, and the diagnostics that were
 * reported.
 */
export interface Scene {
  readonly agent: AgentConnection;
  readonly pid: number | undefined;
  readonly openTerminals: () => number;
  readonly problems: string[];
}

/**
 * Starts the agent and connects to it. The client shows all updates, and its files and terminals are those of one
 * folder.
 */
export async function connect({ command: [command, ...args], cwd, screen, witness, traffic }: Cast): Promise<Scene> {
  const renderer = new Renderer(screen);
  const problems: string[] = [];
  const used = (method: string, detail: string): void => {
    witness.asked(method);
    screen.row("client", cut(`${method} ${detail}`, columns() - 16), dim);
  };
  const terminals = workspaceTerminals({
    roots: [cwd],
    onOutput(_, text) {
      for (const line of text.trimEnd().split("\n")) {
        witness.lines.push(line);
        screen.line(`│ ${line}`, cyan, 16);
      }
    },
  });
  const process = spawnAgent({ command, args });
  const agent = await connectAgent(process, {
    info: { name: "acp-kit-showcase", title: "acp-kit showcase", version: "0.0.0" },
    files: announcedFiles(workspaceFiles({ roots: [cwd] }), used),
    terminals: announcedTerminals(terminals, used),
    permissions: permissionOf(screen, witness, renderer),
    supports: { notices: true, compaction: true, booleanConfigOptions: true },
    onUpdate(update) {
      witness.update(update);
      renderer.show(update);
    },
    tap: (event) => traffic.count(event),
    onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`),
  });
  return { agent, pid: process.pid, openTerminals: () => terminals.openTerminals.length, problems };
}

/** Returns a permission rule that acts as the user: it shows the request, waits a moment and allows it once. */
function permissionOf(screen: Screen, witness: Witness, renderer: Renderer): DecidePermission {
  return async ({ toolCall, options }) => {
    witness.asked("session/request_permission");
    screen.row(
      "asks",
      `${toolCall.title ?? renderer.titleOf(toolCall.toolCallId)}? ${options.map(({ name }) => `[${name}]`).join(" ")}`,
      yellow,
    );
    await sleep(300);
    screen.row("user", "Allow, once", cyan);
    return "allow_once";
  };
}
