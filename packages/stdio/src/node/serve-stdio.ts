import type { DiagnosticListener, Transport } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";
import { guardStdout } from "./guard-stdout.js";
import { type NodeTransportOptions, nodeTransport, nodeTransportDefaults } from "./node-transport.js";
import { printFailure } from "./print-failure.js";

/** What {@link serveStdio} serves: an agent of `@acp-kit/agent`, or anything that can be connected to a transport. */
export interface Servable {
  /** `defaults` are for a connection that has no settings of its own. */
  connect(transport: Transport, defaults?: ServedDefaults): ServedConnection;
}

/** What {@link serveStdio} offers to a connection. */
export interface ServedDefaults {
  /** Receives the connection's diagnostics when nothing else does. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** What {@link serveStdio} asks of a connection. */
export interface ServedConnection {
  /** Settles when the connection has ended and what it sent is written. */
  readonly closed: Promise<unknown>;
  /** Ends what runs, answers what is pending for as long as `drainTimeoutMs` allows, and closes. */
  close(options?: { readonly drainTimeoutMs?: number }): Promise<unknown>;
}

/** How a process is served. Every limit has a default in {@link serveStdioDefaults}. */
export interface ServeStdioOptions extends NodeTransportOptions {
  /** How long running work may go on after the client has gone or a signal came, before the process exits anyway. */
  readonly drainTimeoutMs?: number;
  /**
   * Receives the connection's diagnostics, unless the agent has an `onDiagnostic` of its own. Default: what handlers and hooks throw is printed
   * to standard error, with its stack. `false` prints nothing.
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
 * Serves this process: speaks to the client that started it over standard input and output, and ends the process when the
 * client has gone. It never returns.
 *
 * Standard output belongs to the protocol: `console.*` and other writes to it go to standard error. For libraries that print while
 * they are imported, import `@acp-kit/stdio/node/guard` before them.
 *
 * The process exits with 0 when its input ends, when nobody reads its output any more, and on `SIGTERM`, `SIGINT` and `SIGHUP`, whatever timers and
 * sockets are still open. An uncaught error is printed to standard error and ends it with 1. In each case running work is ended and
 * pending requests are answered first, for `drainTimeoutMs` at most.
 *
 * What a handler throws reaches the client as `Internal error` only, and is printed to standard error with its stack. See `onDiagnostic`.
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
 * The end of input is only seen by who reads, and reading pauses while handlers are behind: behind for ever, perhaps, when they wait
 * for a client that was killed. A process that lost its parent reads on, whatever was paused, and finds out.
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
