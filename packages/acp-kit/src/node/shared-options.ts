import { statSync } from "node:fs";
import { posix, resolve, win32 } from "node:path";
import { serverFolder } from "@acp-kit/client";
import { InvalidArgumentError, Option } from "commander";
import { type AgentTarget, isRemote } from "./agent-target.js";
import { usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { type LogLevel, logLevels } from "./log.js";
import { readTimeLimit } from "./time-limit.js";

// Options that several commands have. Each call of these functions creates a new object, because commander stores
// parsed values in it.

/** `--cwd DIR`, `ACP_CWD`: the absolute path of an existing directory. `undefined` means the current directory. */
export function cwdOption(what = "the agent's working directory"): Option {
  return new Option("--cwd <dir>", `${what} (default: the current directory)`).env("ACP_CWD").argParser(readDirectory);
}

/** `--cwd DIR`, `ACP_CWD` of a command whose agent may run on another machine; see {@link sessionDirectory}. */
export function sessionCwdOption(what = "the agent's working directory"): Option {
  return new Option("--cwd <dir>", `${what} (default: the current directory)`).env("ACP_CWD");
}

/** The options that choose the working directory of a session. */
export interface SessionPlace {
  readonly cwd?: string;
  /** Whether the agent uses files and terminals of this machine. */
  readonly localAccess?: boolean;
}

/**
 * Returns the working directory of a session. A directory of this machine must exist; the path of a directory on a
 * remote machine must be absolute. Without `cwd`, the directory on a remote machine is the one that its server chooses.
 *
 * @throws {CommandFailure} when the directory does not exist, or its path is not absolute.
 */
export function sessionDirectory(target: AgentTarget, { cwd, localAccess = false }: SessionPlace, host: Host): string {
  if (localAccess && !isRemote(target)) {
    throw usageFailure(
      "--local-access is only for the agent of --url: an agent that acp-kit starts always has this access.",
    );
  }
  if (cwd === undefined) return isRemote(target) && !localAccess ? serverFolder : host.cwd;
  if (!isRemote(target) || localAccess) return directoryHere(cwd);
  return directoryThere(cwd);
}

/**
 * Returns the absolute path of a directory whose sessions are listed. It may no longer exist.
 *
 * @throws {CommandFailure} when the directory is on a remote machine, and its path is not absolute.
 */
export function listedDirectory(target: AgentTarget, cwd: string, host: Host): string {
  return isRemote(target) ? directoryThere(cwd) : resolve(host.cwd, cwd);
}

function directoryThere(cwd: string): string {
  if (posix.isAbsolute(cwd) || win32.isAbsolute(cwd)) return cwd;
  throw usageFailure(`--cwd ${cwd}: expected an absolute path, because the agent runs on another machine.`);
}

/** `--timeout S`, `ACP_TIMEOUT`: parsed to milliseconds. 0 and `undefined` mean no time limit. */
export function timeoutOption(what = "stop after this many seconds; 0: never"): Option {
  return new Option("--timeout <seconds>", `${what} (default: never)`).env("ACP_TIMEOUT").argParser(readTimeout);
}

/** `--log-level L`, `ACP_LOG_LEVEL`: a {@link LogLevel}, or `undefined` if the user chose no level. */
export function logLevelOption(): Option {
  return new Option("--log-level <level>", `what to log on standard error: ${logLevels.join(", ")}`)
    .env("ACP_LOG_LEVEL")
    .argParser(readLogLevel);
}

/** `--show-secrets`: whether messages are shown with the values of variables, HTTP headers and tokens. */
export function showSecretsOption(): Option {
  return new Option(
    "--show-secrets",
    "show environment variables, HTTP headers and tokens in messages without redaction",
  );
}

function readDirectory(text: string): string {
  const path = resolve(text);
  if (!isDirectory(path)) throw new InvalidArgumentError(`The directory ${path} does not exist.`);
  return path;
}

function directoryHere(text: string): string {
  const path = resolve(text);
  if (!isDirectory(path)) throw usageFailure(`--cwd ${text}: the directory ${path} does not exist.`);
  return path;
}

/** Returns whether a path names a directory that exists. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readTimeout(text: string): number {
  // 0 and not `undefined`: for `undefined`, commander would read the environment variable.
  return readTimeLimit(text, { acceptsZero: true });
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((each) => each === text.toLowerCase());
  if (level === undefined) throw new InvalidArgumentError(`Expected one of ${logLevels.join(", ")}.`);
  return level;
}
