import type { ClientHandle } from "./client-handle.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** A command for {@link ToolEnvironment.run}. */
export interface Command {
  /** The program; without `args`, a whole command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute. Default: the working directory of the environment's owner. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the command after this many milliseconds; its output so far is returned. Default: no limit. */
  readonly timeoutMs?: number;
  /** Keeps the last bytes of its output, up to this number. Default: the owner's limit. */
  readonly outputByteLimit?: number;
  /** Ends the command; `run` rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Shows its output in this tool call while it runs, if it runs in the client's terminal. */
  readonly toolCall?: ToolCallHandle;
}

/** The result of a command. */
export interface CommandResult {
  /** Standard output and standard error, in order of arrival; only the end if it was cut. */
  readonly output: string;
  readonly truncated: boolean;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether it ran longer than `timeoutMs` and was killed. */
  readonly timedOut: boolean;
}

/**
 * File and command access for an agent's tools. Tools written against this interface work with the client's editor buffers and
 * terminals, and on the agent's own machine. Paths are absolute, lines 1-based.
 */
export interface ToolEnvironment {
  /** @throws {RpcError} `-32002` for a file that doesn't exist. */
  readTextFile(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /** Creates the file if it doesn't exist. */
  writeTextFile(path: string, content: string): Promise<void>;
  run(command: Command): Promise<CommandResult>;
}

/** Options of {@link toolEnvironment}. */
export interface ToolEnvironmentOptions {
  /** Local file and command access, such as `localEnvironment` of `@acp-kit/workspace`. */
  readonly local: ToolEnvironment;
  /** `client` (the default): through the client for each capability that it advertises, else locally. `agent`: always locally. */
  readonly owner?: "client" | "agent";
}

/**
 * Creates the environment of a session's tools: through the client or locally, by the client's capabilities and `owner`.
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

/** Creates an environment of the client's files and terminals. Calls that the client does not support reject with `CapabilityError`. */
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
