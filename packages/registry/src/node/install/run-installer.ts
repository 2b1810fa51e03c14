import { after, deferred, onAbort } from "@acp-kit/protocol/internal";
import { type AgentLedger, isProcessError, startChild } from "@acp-kit/stdio/node";
import { RegistryError, type RegistryErrorCode } from "../errors.js";

/** A program that installs packages. */
export interface InstallerCommand {
  /** The name for messages: `npm`, `uv`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Records running installers: if this process is killed, the next installation ends its installer. */
  readonly ledger: AgentLedger;
}

/** Maximum length of the output that an error message quotes, in UTF-16 units. */
const maxTail = 4_000;

/** Error codes and explanations for texts in the output of npm and uv. */
const meanings: readonly (readonly [RegExp, RegistryErrorCode, string])[] = [
  [/\bEINTEGRITY\b|hash mismatch/i, "checksum_mismatch", "its bytes do not match the checksum of the package registry"],
  [
    /\bENOSPC\b|\bEDQUOT\b|\bEFBIG\b|no space left|file too large/i,
    "disk_full",
    "there is not enough space on the disk",
  ],
  [
    /\bE404\b|\bETARGET\b|not found in the package registry|no solution found/i,
    "no_distribution",
    "the package registry does not have the package",
  ],
  [
    /\bENOTFOUND\b|\bECONNREFUSED\b|\bETIMEDOUT\b|\bECONNRESET\b|\bEAI_AGAIN\b|ERR_SOCKET_TIMEOUT|error sending request/i,
    "unreachable",
    "the package registry can't be reached",
  ],
];

/**
 * Runs an installer until it exits, and ends all of its processes.
 *
 * @throws {RegistryError} when the installer fails or exceeds its time limit. Rejects with the reason of an aborted
 * signal.
 */
export async function runInstaller(what: string, installer: InstallerCommand): Promise<void> {
  const { name, command, args, cwd, env, timeoutMs, signal, ledger } = installer;
  signal?.throwIfAborted();
  let startFailure: unknown;
  const failedToStart = deferred();
  const onError = (error: unknown): void => {
    startFailure = error;
    failedToStart.resolve();
  };
  const child = startChild({ command, args, cwd, env, inheritEnv: false, detachedProcesses: "end", ledger }, onError);
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
  let isLate = false;
  const onTime = (): void => {
    isLate = true;
    stopped.resolve();
  };
  const stopTimer = after(timeoutMs, onTime, { keepAlive: true });
  const ignore = onAbort(signal, () => stopped.resolve());
  try {
    await Promise.race([child.ended, failedToStart.promise, stopped.promise]);
  } finally {
    stopTimer();
    ignore();
    await child.end({ exitGraceMs: 0, termGraceMs: 2_000 });
  }
  signal?.throwIfAborted();
  if (startFailure !== undefined) throw missing(name, what, startFailure);
  if (child.exit?.exitCode === 0) return;
  const killed = child.exit?.signal ? `${name} was ended by the signal ${child.exit.signal}` : undefined;
  throw failure(what, name, isLate ? `${name} was stopped after ${timeoutMs} ms` : killed, tail);
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
    isProcessError(cause) && cause.code !== "not_found" ? `${name} can't be started` : `${name} is not on the PATH`;
  return new RegistryError("missing_tool", `${what} can't be installed: ${why}. Install ${name} and try again.`, {
    cause,
  });
}
