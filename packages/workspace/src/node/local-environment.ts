// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import { randomUUID } from "node:crypto";
import { after, checkOptions, type OptionKinds, onAbort } from "@acp-kit/protocol/internal";
import type { WorkspaceFilesOptions } from "./files/files-options.js";
import { workspaceFiles } from "./files/workspace-files.js";
import type { Root } from "./roots.js";
import type { WorkspaceTerminalsOptions } from "./terminals/terminals-options.js";
import { workspaceTerminals } from "./terminals/workspace-terminals.js";
import type { WorkspaceContext } from "./workspace-context.js";

/** Options of {@link localEnvironment}. */
export interface LocalEnvironmentOptions {
  /**
   * The folders of the session: its `cwd` and its additional directories. The agent can read and write only files in
   * these folders. Commands start in these folders, by default in the first one.
   */
  readonly roots: readonly (string | Root)[];
  readonly files?: Omit<WorkspaceFilesOptions, "roots">;
  readonly terminals?: Omit<WorkspaceTerminalsOptions, "roots">;
}

/** A command for {@link LocalEnvironment.run}. */
export interface LocalCommand {
  /** The program. Without `args`, it may also be a command line for the shell. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The milliseconds after which the command is ended and `run` returns the output so far. `Infinity`: never. */
  readonly timeoutMs?: number;
  /** The number of bytes of output that are kept, counted from the end. */
  readonly outputByteLimit?: number;
  /** A signal that ends the command; `run` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of a command that has ended. */
export interface LocalCommandResult {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

/** Local file and terminal access for an agent: the option `local` of `toolEnvironment` of `@acp-kit/agent`. */
export interface LocalEnvironment extends AsyncDisposable {
  /**
   * @throws {RpcError} `-32002` for a missing file, `-32602` for a file outside the roots.
   */
  readTextFile(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  writeTextFile(path: string, content: string): Promise<void>;
  run(command: LocalCommand): Promise<LocalCommandResult>;
  /** Ends running commands and starts no new ones. */
  close(): Promise<void>;
}

/**
 * Creates local file and terminal access for an agent whose client offers no files or terminals. Files and commands
 * have the same limits as in a client that uses this package.
 */
export function localEnvironment(options: LocalEnvironmentOptions): LocalEnvironment {
  checkOptions("localEnvironment", options, optionKinds);
  const { roots, files = {}, terminals = {} } = options;
  const theFiles = workspaceFiles({ ...files, roots });
  const theTerminals = workspaceTerminals({ ...terminals, roots });
  const sessionId = randomUUID();
  const never = new AbortController().signal;
  const context: WorkspaceContext = { session: undefined, signal: never, sessionSignal: never };

  const run = async (command: LocalCommand): Promise<LocalCommandResult> => {
    const { timeoutMs, signal } = command;
    signal?.throwIfAborted();
    const { terminalId } = await theTerminals.createTerminal({ sessionId, ...paramsOf(command) }, context);
    const terminal = { sessionId, terminalId };
    const until = new AbortController();
    let timedOut = false;
    const onTime = (): void => {
      timedOut = true;
      until.abort();
    };
    const stopTimer = after(timeoutMs ?? Number.POSITIVE_INFINITY, onTime);
    const unlisten = onAbort(signal, () => until.abort(signal?.reason));
    try {
      const waiting = theTerminals.waitForTerminalExit(terminal, { ...context, signal: until.signal });
      await waiting.catch(async (error: unknown) => {
        if (!timedOut || signal?.aborted) throw error;
        await theTerminals.killTerminal(terminal, context);
        await theTerminals.waitForTerminalExit(terminal, context);
      });
      const { output, truncated, exitStatus } = await theTerminals.terminalOutput(terminal, context);
      const { exitCode = null, signal: by = null } = exitStatus ?? {};
      return { output, truncated, exitCode, signal: by, timedOut };
    } finally {
      stopTimer();
      unlisten();
      await theTerminals.releaseTerminal(terminal, context);
    }
  };

  return {
    async readTextFile(path, range) {
      return (await theFiles.readTextFile({ sessionId, path, ...range }, context)).content;
    },
    async writeTextFile(path, content) {
      if (theFiles.writeTextFile === undefined) throw new TypeError("This environment is read-only");
      await theFiles.writeTextFile({ sessionId, path, content }, context);
    },
    run,
    close: () => theTerminals.close(),
    [Symbol.asyncDispose]: () => theTerminals.close(),
  };
}

const optionKinds: OptionKinds<LocalEnvironmentOptions> = { roots: "value!", files: "value", terminals: "value" };

function paramsOf({ command, args, cwd, env, outputByteLimit }: LocalCommand): {
  command: string;
  args?: string[];
  cwd?: string;
  env?: { name: string; value: string }[];
  outputByteLimit?: number;
} {
  return {
    command,
    ...(args !== undefined && { args: [...args] }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
    ...(outputByteLimit !== undefined && { outputByteLimit }),
  };
}
