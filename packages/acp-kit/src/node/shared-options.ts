import { statSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { type LogLevel, logLevels } from "./log.js";

// Options that several commands have. Each call creates a new one, since commander stores parsed values in them.

/** `--cwd DIR`, `ACP_CWD`: the absolute path of an existing directory; `undefined` means the current one. */
export function cwdOption(what = "the agent's working directory"): Option {
  return new Option("--cwd <dir>", `${what} (default: the current directory)`).env("ACP_CWD").argParser(readDirectory);
}

/** `--timeout S`, `ACP_TIMEOUT`: milliseconds; 0, or `undefined`, when there is none. */
export function timeoutOption(what = "stop after this many seconds; 0: never"): Option {
  return new Option("--timeout <seconds>", `${what} (default: never)`).env("ACP_TIMEOUT").argParser(readTimeout);
}

/** `--log-level L`, `ACP_LOG_LEVEL`: a {@link LogLevel}; `undefined` when the user chose none. */
export function logLevelOption(): Option {
  return new Option("--log-level <level>", `what to log on standard error: ${logLevels.join(", ")}`)
    .env("ACP_LOG_LEVEL")
    .argParser(readLogLevel);
}

/** `--show-secrets`: values of environment variables, HTTP headers and tokens in displayed messages. */
export function showSecretsOption(): Option {
  return new Option("--show-secrets", "don't redact environment variables, HTTP headers and tokens in messages");
}

function readDirectory(text: string): string {
  const path = resolve(text);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError(`There is no directory ${path}.`);
  }
  return path;
}

function readTimeout(text: string): number {
  const seconds = text.trim() === "" ? Number.NaN : Number(text);
  if (!(seconds >= 0 && seconds <= 2_000_000)) {
    throw new InvalidArgumentError("Expected seconds: a number from 0 (never) up.");
  }
  return seconds * 1000; // 0 stays 0: `undefined` would let the environment decide
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((each) => each === text.toLowerCase());
  if (level === undefined) throw new InvalidArgumentError(`Expected one of ${logLevels.join(", ")}.`);
  return level;
}
