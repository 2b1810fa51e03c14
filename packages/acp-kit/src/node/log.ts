import { hideInText } from "./hide-secrets.js";
import type { Host } from "./host.js";

/** How much is told on standard error, from nothing but failures to every message. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** What is told beside the result: on standard error, as far as the user wants to hear it. */
export interface Log {
  readonly level: LogLevel;
  /** Why the command failed. */
  error(message: string): void;
  /** What the user should know, though the command goes on. */
  warn(message: string): void;
  /** What happens: tool calls, permissions. */
  info(message: string): void;
  /** Everything: what the agent writes to its standard error, every message on the wire. */
  debug(message: string): void;
}

/** The level of a user who didn't choose one: somebody who watches sees what happens, a script sees what is wrong. */
export function defaultLogLevel({ stderr }: Host): LogLevel {
  return stderr.isTerminal ? "info" : "warn";
}

/** A log that writes to the standard error of the host, without secrets, never into a line of the result that is on the same terminal. */
export function createLog(host: Host, level: LogLevel): Log {
  const { stdout, stderr } = host;
  const { red, yellow, dim } = stderr.colours;
  const at = (least: LogLevel, format: (message: string) => string) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {};
    return (message: string) => {
      if (stdout.isTerminal && stderr.isTerminal && stdout.isMidLine) {
        stderr.line();
        stdout.lineEnded();
      }
      stderr.line(format(hideInText(message, host)));
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
