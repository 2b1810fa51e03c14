import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { guardStdout } from "@acp-kit/stdio/node";
import type { AgentScript, ScriptedAgent } from "../script/agent-script.js";
import type { ClientScript, ScriptedClient } from "../script/client-script.js";
import { closeStdout, rawNodeTransport } from "./raw-node-transport.js";
import { spawnPeer } from "./spawn-peer.js";

/**
 * Turns this process into the peer of a script, and ends it with the conversation; it never returns.
 *
 * An agent's script uses standard input and output, until its client leaves. A client's script starts the agent with `command`,
 * runs its steps (`clientScript().play(…)`), and closes it. The process exits with 0, or, when the script's own code throws,
 * with 1 and the error on standard error. Standard output belongs to the protocol: `console.*` goes to standard error.
 *
 * @example await runScript(agentScript().onPrompt(/hello/, (turn) => turn.message("Hi")));
 */
export async function runScript(
  script: AgentScript | ClientScript,
  command: readonly string[] = process.argv.slice(2),
): Promise<never> {
  try {
    await (script.side === "agent" ? serve(script) : drive(script, command));
  } catch (error) {
    process.stderr.write(`The script failed: ${inspect(error)}\n`);
    process.exit(1);
  }
  return process.exit(0);
}

async function serve(script: AgentScript): Promise<void> {
  const output = guardStdout();
  const transport = rawNodeTransport(process.stdin, output, { onOutputEnded: closeStdout });
  const agent: ScriptedAgent = script.connect(transport);
  await agent.closed;
  await agent.close();
}

async function drive(script: ClientScript, [command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) throw new TypeError("A client's script needs the command of an agent");
  const agent = spawnPeer({ command, args });
  const client: ScriptedClient = script.connect(agent);
  let failure: { readonly error: unknown } | undefined;
  await client.done.catch((error: unknown) => {
    failure = { error };
  });
  await client.close().catch((error: unknown) => {
    failure ??= { error };
  });
  process.stderr.write(agent.stderr);
  if (failure !== undefined) throw failure.error;
}

/** Options of {@link scriptCommand}. */
export interface ScriptCommandOptions {
  /** Arguments of Node, before the script: `--import tsx`, for example, for a script in TypeScript. */
  readonly nodeArgs?: readonly string[];
  /** For a client's script: the command of the agent. */
  readonly agent?: readonly string[];
}

/** Returns the command that runs a script as a process: `module` is a file whose default export is the script. */
export function scriptCommand(
  module: string | URL,
  { nodeArgs = [], agent = [] }: ScriptCommandOptions = {},
): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [...nodeArgs, program("acp-script"), String(module), ...agent] };
}

/** The file of a command of this package, which lies beside the built file of this module. */
export function program(name: "acp-script" | "acp-faulty"): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}
