import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { guardStdout } from "@acp-kit/stdio/node";
import type { AgentScript } from "../script/agent-script.js";
import type { ClientScript } from "../script/client-script.js";
import type { V2AgentScript } from "../v2/agent-script.js";
import type { V2ClientScript } from "../v2/client-script.js";
import { closeStdout, rawNodeTransport } from "./raw-node-transport.js";
import { spawnPeer } from "./spawn-peer.js";

/**
 * Runs a script in the current process, over standard input and output, and exits when the conversation ends. The
 * function never returns.
 *
 * An agent's script runs until its client disconnects. A client's script starts the agent with `command`, runs its
 * steps (`clientScript().play(…)`), and closes the agent. The process exits with 0; if the script's own code throws, it
 * exits with 1 and prints the error to standard error. Standard output is reserved for the protocol: `console.*` writes
 * to standard error.
 *
 * @example await runScript(agentScript().onPrompt(/hello/, (turn) => turn.message("Hi")));
 */
export async function runScript(
  script: AgentScript | ClientScript | V2AgentScript | V2ClientScript,
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

async function serve(script: AgentScript | V2AgentScript): Promise<void> {
  const output = guardStdout();
  const transport = rawNodeTransport(process.stdin, output, { onOutputEnded: closeStdout });
  const agent = script.connect(transport);
  await agent.closed;
  await agent.close();
}

async function drive(script: ClientScript | V2ClientScript, [command, ...args]: readonly string[]): Promise<void> {
  if (command === undefined) throw new TypeError("The script of a client needs the command of an agent");
  const agent = spawnPeer({ command, args });
  const client = script.connect(agent);
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
  /** Arguments of Node before the script, such as `--import tsx` for a script in TypeScript. */
  readonly nodeArgs?: readonly string[];
  /** The command of the agent, for the script of a client. */
  readonly agent?: readonly string[];
}

/** Returns the command that runs a script as a process; the default export of the file `module` is the script. */
export function scriptCommand(
  module: string | URL,
  options: ScriptCommandOptions = {},
): { readonly command: string; readonly args: readonly string[] } {
  checkOptions("scriptCommand", options, optionKinds);
  const { nodeArgs = [], agent = [] } = options;
  return { command: process.execPath, args: [...nodeArgs, program("acp-script"), String(module), ...agent] };
}

const optionKinds: OptionKinds<ScriptCommandOptions> = { nodeArgs: "value", agent: "value" };

/** Returns the path of a program of this package, which is in the same folder as the built file of this module. */
export function program(name: "acp-script" | "acp-faulty"): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}
