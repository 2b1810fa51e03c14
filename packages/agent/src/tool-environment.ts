import type { ClientCapability } from "@acp-kit/protocol";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { ClientHandle } from "./client-handle.js";
import type { ToolCallHandle } from "./tool-call-handle.js";

/** A command that {@link ToolEnvironment.run} runs. */
export interface Command {
  /** The program to run or, without `args`, a whole command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * The working directory of the command, as an absolute path. By default, it is the working directory of the client's
   * session or of the local environment.
   */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The time in milliseconds after which the command is killed; `run` then returns the output so far. By default, there
   * is no time limit.
   */
  readonly timeoutMs?: number;
  /**
   * The number of bytes of output to keep; if there is more output, its beginning is dropped. By default, the limit of
   * the client or of the local environment applies.
   */
  readonly outputByteLimit?: number;
  /** A signal that ends the command; `run` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The tool call that shows the command's output while it runs, if the command runs in a terminal of the client. */
  readonly toolCall?: ToolCallHandle;
}

/** The result of a command that has ended. */
export interface CommandResult {
  /** Standard output and standard error in the order of arrival; only their end if `truncated` is `true`. */
  readonly output: string;
  readonly truncated: boolean;
  /** The exit code; `null` if a signal ended the command. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether the command ran longer than `timeoutMs` and was killed. */
  readonly timedOut: boolean;
}

/**
 * Access to files and commands for the tools of an agent. A tool that uses this interface works both with the client's
 * editor buffers and terminals and with the files and commands of the agent's own machine. Paths are absolute, and
 * lines count from 1.
 */
export interface ToolEnvironment {
  /**
   * @throws {RpcError} `-32002` for a file that doesn't exist.
   */
  readTextFile(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /** Writes a text file and creates it if it doesn't exist. */
  writeTextFile(path: string, content: string): Promise<void>;
  run(command: Command): Promise<CommandResult>;
}

/** Options of {@link toolEnvironment}. */
export interface ToolEnvironmentOptions {
  /** Access to the files and commands of the agent's machine, such as `localEnvironment` of `@acp-kit/workspace`. */
  readonly local: ToolEnvironment;
  /**
   * The machine whose files and commands the environment uses. `client` (the default): the environment uses the client
   * for each capability that the client advertises, and local access for the others. `agent`: the environment always
   * uses local access.
   */
  readonly owner?: "client" | "agent";
}

/**
 * Creates the environment for the tools of a session. It uses the client's files and terminals or local access,
 * depending on the client's capabilities and on `owner`.
 *
 * @example
 * ```ts
 * const environment = toolEnvironment(turn.client, { local: localEnvironment({ roots: [cwd] }) });
 * const source = await environment.readTextFile("/work/a.ts");
 * ```
 */
export function toolEnvironment(client: ClientHandle, options: ToolEnvironmentOptions): ToolEnvironment {
  checkOptions("toolEnvironment", options, optionKinds);
  const { local, owner = "client" } = options;
  if (owner === "agent") return local;
  const remote = clientEnvironment(client);
  const by = (capability: ClientCapability): ToolEnvironment => (client.offers(capability) ? remote : local);
  return {
    readTextFile: (path, range) => by("clientCapabilities.fs.readTextFile").readTextFile(path, range),
    writeTextFile: (path, content) => by("clientCapabilities.fs.writeTextFile").writeTextFile(path, content),
    run: (command) => by("clientCapabilities.terminal").run(command),
  };
}

const optionKinds: OptionKinds<ToolEnvironmentOptions> = { local: "value!", owner: ["client", "agent"] };

/**
 * Creates a tool environment that uses only the client's files and terminals. If the client does not support a call,
 * the call rejects with `CapabilityError`.
 */
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
    await terminal.waitForExit({ signal }); // the client may never report the exit
  }
  const { output, truncated, exitStatus } = await terminal.output();
  const { exitCode = null, signal: by = null } = exit ?? exitStatus ?? {};
  return { output, truncated, exitCode, signal: by, timedOut };
}
