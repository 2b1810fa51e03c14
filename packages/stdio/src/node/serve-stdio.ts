import type { DiagnosticListener, Transport } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";
import { guardStdout } from "./guard-stdout.js";
import { type NodeTransportOptions, nodeTransport, nodeTransportDefaults } from "./node-transport.js";
import { printFailure } from "./print-failure.js";

/** The program that {@link serveStdio} serves: an agent of `@acp-kit/agent`, or another object that can be connected to a transport. */
export interface Servable {
  /** `defaults` apply to a connection without settings of its own. */
  connect(transport: Transport, defaults?: ServedDefaults): ServedConnection;
}

/** The defaults that {@link serveStdio} passes to `connect`. */
export interface ServedDefaults {
  /** Receives the connection's diagnostics when it has no listener of its own. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** The part of a connection that {@link serveStdio} needs. */
export interface ServedConnection {
  /** Settles when the connection has ended and its queued messages are flushed. */
  readonly closed: Promise<unknown>;
  /** Ends running work, responds to pending requests for up to `drainTimeoutMs`, and closes. */
  close(options?: { readonly drainTimeoutMs?: number }): Promise<unknown>;
}

/** Options of {@link serveStdio}. Every limit has a default in {@link serveStdioDefaults}. */
export interface ServeStdioOptions extends NodeTransportOptions {
  /** How long running work may continue after the client has ended or a signal came, before the process exits. */
  readonly drainTimeoutMs?: number;
  /**
   * Receives the connection's diagnostics, unless the agent has its own `onDiagnostic`. Default: errors thrown by handlers and
   * hooks are printed to standard error, with their stack. `false` prints nothing.
   */
  readonly onDiagnostic?: DiagnosticListener | false;
}

/** The named defaults of {@link serveStdio}. */
export const serveStdioDefaults: typeof nodeTransportDefaults & { readonly drainTimeoutMs: number } = {
  ...nodeTransportDefaults,
  drainTimeoutMs: 5_000,
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Serves this process: talks to the client that started it over standard input and output, and ends the process when the client
 * has ended. It never returns.
 *
 * Standard output belongs to the protocol: `console.*` and other writes to it go to standard error. For libraries that print
 * while they are imported, import `@acp-kit/stdio/node/guard` before them.
 *
 * The process exits with 0 when its input ends, when its output is no longer read, and on `SIGTERM`, `SIGINT` and `SIGHUP`,
 * even with open timers and sockets. An uncaught error is printed to standard error, and the process exits with 1. In each case
 * running work is ended and pending requests get their responses first, for `drainTimeoutMs` at most.
 *
 * The client receives an error thrown by a handler as `Internal error` only; the error is printed to standard error with its
 * stack. See `onDiagnostic`.
 *
 * @see https://agentclientprotocol.com/protocol/transports
 */
export async function serveStdio(agent: Servable, options: ServeStdioOptions = {}): Promise<never> {
  const output = guardStdout();
  const drainTimeoutMs = options.drainTimeoutMs ?? serveStdioDefaults.drainTimeoutMs;
  let connection: ServedConnection | undefined;
  let exitCode = 0;
  let ending = false;
  /** From the first sign of the end on, the process has a limited time. */
  const limit = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(exitCode), drainTimeoutMs + EXIT_MARGIN_MS);
  };
  let closing = false;
  const end = (): void => {
    limit();
    if (connection === undefined) process.exit(exitCode);
    if (closing) return;
    closing = true;
    void connection.close({ drainTimeoutMs });
  };
  process.on("uncaughtException", (error, origin) => {
    const what = origin === "unhandledRejection" ? "Unhandled rejection" : "Uncaught error";
    process.stderr.write(`${what}, the agent ends: ${builtin("util").inspect(error)}\n`);
    exitCode = 1;
    end();
  });
  for (const signal of SIGNALS) process.on(signal, end);
  process.stdin.once("end", limit).once("close", limit);
  watchParent();

  const { onDiagnostic = printFailure } = options;
  const defaults: ServedDefaults = onDiagnostic === false ? {} : { onDiagnostic };
  connection = agent.connect(nodeTransport(process.stdin, output, options), defaults);
  await connection.closed;
  return process.exit(exitCode);
}

/**
 * The end of input is seen only while reading, and reading pauses while handlers are behind: for ever if they wait for a client
 * that was killed. A process that lost its parent resumes reading regardless, and sees the end.
 */
function watchParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.stdin.resume();
  }, PARENT_CHECK_MS).unref();
}

const PARENT_CHECK_MS = 2_000;

/** After the drain, the connection still has to close. */
const EXIT_MARGIN_MS = 500;
