import { deferred, onAbort } from "@acp-kit/protocol";
import { isProcessError, startChild } from "@acp-kit/stdio/node";
import { RegistryError, type RegistryErrorCode } from "../errors.js";

/** A program that installs packages. */
export interface InstallerCommand {
  /** For messages: `npm`, `uv`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How much of its output is kept for messages. */
const maxTail = 4_000;

/** What texts of npm and uv mean. */
const meanings: readonly (readonly [RegExp, RegistryErrorCode, string])[] = [
  [/\bEINTEGRITY\b|hash mismatch/i, "checksum_mismatch", "its bytes are not those that the package registry names"],
  [
    /\bENOSPC\b|\bEDQUOT\b|\bEFBIG\b|no space left|file too large/i,
    "disk_full",
    "there is not enough room on the disk",
  ],
  [
    /\bE404\b|\bETARGET\b|not found in the package registry|no solution found/i,
    "no_distribution",
    "the package registry does not have it",
  ],
  [
    /\bENOTFOUND\b|\bECONNREFUSED\b|\bETIMEDOUT\b|\bECONNRESET\b|\bEAI_AGAIN\b|ERR_SOCKET_TIMEOUT|error sending request/i,
    "unreachable",
    "the package registry can't be reached",
  ],
];

/**
 * Runs an installer to its end. It leaves no process behind, also when it is stopped.
 *
 * @throws {RegistryError} when it fails or takes too long; the reason of an aborted signal.
 */
export async function runInstaller(what: string, installer: InstallerCommand): Promise<void> {
  const { name, command, args, cwd, env, timeoutMs, signal } = installer;
  signal?.throwIfAborted();
  let startFailure: unknown;
  const failedToStart = deferred();
  const onError = (error: unknown): void => {
    startFailure = error;
    failedToStart.resolve();
  };
  const child = startChild({ command, args, cwd, env, inheritEnv: false, detachedProcesses: "end" }, onError);
  if (child === undefined) {
    await failedToStart.promise;
    throw missing(name, what, startFailure);
  }
  let tail = "";
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      tail = (tail + text).slice(-maxTail);
    });
  }
  child.process.stdin.on("error", () => {}).end();
  const stopped = deferred();
  const timer = setTimeout(() => stopped.resolve(), timeoutMs);
  const ignore = onAbort(signal, () => stopped.resolve());
  try {
    await Promise.race([child.ended, failedToStart.promise, stopped.promise]);
  } finally {
    clearTimeout(timer);
    ignore();
    await child.end({ exitGraceMs: 0, termGraceMs: 2_000 });
  }
  signal?.throwIfAborted();
  if (startFailure !== undefined) throw missing(name, what, startFailure);
  if (child.exit?.exitCode === 0) return;
  throw failure(
    what,
    name,
    child.exit === undefined || child.exit.signal !== null ? `it was stopped after ${timeoutMs} ms` : undefined,
    tail,
  );
}

function failure(what: string, name: string, why: string | undefined, tail: string): RegistryError {
  const [, code = "installer_failed", meaning = `${name} failed`] =
    meanings.find(([pattern]) => pattern.test(tail)) ?? [];
  const lines = tail
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-8)
    .join("\n");
  return new RegistryError(
    why === undefined ? code : "installer_failed",
    `${what} can't be installed: ${why ?? meaning}. ${name} printed:\n${lines}`,
  );
}

function missing(name: string, what: string, cause: unknown): RegistryError {
  const why =
    isProcessError(cause) && cause.code !== "not_found"
      ? `${name} can't be started`
      : `there is no ${name} on the PATH`;
  return new RegistryError("missing_tool", `${what} can't be installed: ${why}. Install ${name} and try again.`, {
    cause,
  });
}
