import type { ClientHandle } from "./client-handle.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** A command for {@link ToolEnvironment.run}. */
export interface Command {
  /** The program; with no `args`, a whole command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute. Default: where the environment's owner runs things. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kill it after that long; what it has written is answered all the same. Default: no limit. */
  readonly timeoutMs?: number;
  /** Keep that much of its output, the end of it. Default: what the owner keeps. */
  readonly outputByteLimit?: number;
  /** Ends the command; `run` rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Show its output in this tool call while it runs, where the client can. */
  readonly toolCall?: ToolCallHandle;
}

/** What became of a command. */
export interface CommandResult {
  /** Both streams, as they came; the end of it where it was too much. */
  readonly output: string;
  readonly truncated: boolean;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It ran longer than `timeoutMs` and was killed. */
  readonly timedOut: boolean;
}

/**
 * What an agent's tools do to the world: files and commands. Tools that are written against this work with the client's editor buffers
 * and terminals, and on the agent's own machine. Paths are absolute, lines 1-based.
 */
export interface ToolEnvironment {
  /** @throws {RpcError} `-32002` for a file that isn't there. */
  readTextFile(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /** Creates the file where it doesn't exist. */
  writeTextFile(path: string, content: string): Promise<void>;
  run(command: Command): Promise<CommandResult>;
}

/** Who does what a tool asks for. */
export interface ToolEnvironmentOptions {
  /** The agent's own hands, such as `localEnvironment` of `@acp-kit/workspace`. */
  readonly local: ToolEnvironment;
  /** Default `client`: what the client offers goes through the client, the rest is done locally. `agent`: all is done locally. */
  readonly owner?: "client" | "agent";
}

/**
 * The environment of a session's tools: chosen for each ability by what the client offers and what the author wants.
 *
 * @example
 * ```ts
 * const environment = toolEnvironment(turn.client, { local: localEnvironment({ roots: [cwd] }) });
 * const source = await environment.readTextFile("/work/a.ts");
 * ```
 */
export function toolEnvironment(
  client: ClientHandle,
  { local, owner = "client" }: ToolEnvironmentOptions,
): ToolEnvironment {
  if (owner === "agent") return local;
  const remote = clientEnvironment(client);
  const by = (capability: string): ToolEnvironment =>
    client.offers(`clientCapabilities.${capability}`) ? remote : local;
  return {
    readTextFile: (path, range) => by("fs.readTextFile").readTextFile(path, range),
    writeTextFile: (path, content) => by("fs.writeTextFile").writeTextFile(path, content),
    run: (command) => by("terminal").run(command),
  };
}

/** The client's files and terminals. What it doesn't offer rejects with `CapabilityError`. */
export function clientEnvironment(client: ClientHandle): ToolEnvironment {
  return {
    readTextFile: async (path, range) => (await client.readTextFile({ path, ...range })).content,
    writeTextFile: (path, content) => client.writeTextFile({ path, content }),
    run: (command) => runInTerminal(client, command),
  };
}

async function runInTerminal(
  client: ClientHandle,
  { command, args, cwd, env, timeoutMs, outputByteLimit, signal, toolCall }: Command,
): Promise<CommandResult> {
  signal?.throwIfAborted();
  const params = {
    command,
    ...(args && { args: [...args] }),
    ...(cwd !== undefined && { cwd }),
    ...(env && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
    ...(outputByteLimit !== undefined && { outputByteLimit }),
  };
  await using terminal = await (toolCall?.terminal(params) ?? client.createTerminal(params));
  const exit = await terminal.waitForExit({ timeoutMs, signal });
  const timedOut = exit === undefined;
  if (timedOut) {
    await terminal.kill();
    await terminal.waitForExit();
  }
  const { output, truncated, exitStatus } = await terminal.output();
  const { exitCode = null, signal: by = null } = exit ?? exitStatus ?? {};
  return { output, truncated, exitCode, signal: by, timedOut };
}
