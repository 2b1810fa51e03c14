import { cleanOutput } from "./chat/text/clean.js";
import { hideInText } from "./hide-secrets.js";
import type { Host } from "./host.js";

/** The levels of the log on standard error, from `error` (only failures) to `debug` (every message). */
export const logLevels = ["error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Writes messages that are not part of the result to standard error, up to the user's log level. */
export interface Log {
  readonly level: LogLevel;
  /** Logs the reason why the command failed. */
  error(message: string): void;
  /** Logs a problem that doesn't end the command. */
  warn(message: string): void;
  /** Logs progress: tool calls, permissions. */
  info(message: string): void;
  /** Logs details: the agent's standard error and every protocol message. */
  debug(message: string): void;
}

/** Returns the default log level: `info` on a terminal, `warn` otherwise. */
export function defaultLogLevel({ stderr }: Host): LogLevel {
  return stderr.isTerminal ? "info" : "warn";
}

/**
 * Creates a log on the host's standard error. The log redacts secrets. It writes no escape sequences except colours
 * of a terminal, and it never writes into an unfinished line of the result.
 */
export function createLog(host: Host, level: LogLevel): Log {
  const { stdout, stderr } = host;
  const { red, yellow, dim, enabled } = stderr.colours;
  // Messages contain texts of agents, servers and registries, which may contain escape sequences for the terminal.
  const clean = (text: string): string => cleanOutput(text, enabled);
  const at = (least: LogLevel, format: (message: string) => string) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
    return (message: string) => {
      if (stdout.isTerminal && stderr.isTerminal && stdout.isMidLine) {
        stderr.line();
        stdout.lineEnded();
      }
      stderr.line(format(clean(hideInText(message, host))));
    };
  };
  return {
    level,
    error: at("error", (message) => `${red("error:")} ${message}`),
    warn: at("warn", (message) => `${yellow("warning:")} ${message}`),
    info: at("info", (message) => message),
    debug: at("debug", (message) => dim(message)),
  };
}
