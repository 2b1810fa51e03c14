import type { Transport } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { after, checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { builtin } from "./builtins.js";
import { guardStdout } from "./guard-stdout.js";
import { type NodeTransportOptions, nodeTransport } from "./node-transport.js";
import { printFailure } from "./print-failure.js";

/** An object that {@link serveStdio} can serve: an agent of `@acp-kit/agent`, or any object with a `connect` method. */
export interface Servable {
  /** Connects the agent to a transport. `defaults` apply if the agent does not have the same setting. */
  connect(transport: Transport, defaults?: ServedDefaults): ServedConnection;
}

/** The settings that {@link serveStdio} passes to `connect`, for an agent that doesn't have its own. */
export interface ServedDefaults {
  /** Receives the diagnostics of a connection whose agent has no `onDiagnostic`. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** The members of a connection that {@link serveStdio} uses. */
export interface ServedConnection {
  /** A promise that settles when the connection has ended and its queued messages are flushed. */
  readonly closed: Promise<unknown>;
  /** Closes the connection. Before, it ends work, and waits up to `drainTimeoutMs` for pending requests. */
  close(options?: { readonly drainTimeoutMs?: number }): Promise<unknown>;
}

/** Options of {@link serveStdio}. */
export interface ServeStdioOptions extends NodeTransportOptions {
  /**
   * The time in milliseconds that running work has to end after the client has disconnected or a signal has arrived.
   * Then the process exits. The default is 5,000.
   */
  readonly drainTimeoutMs?: number;
  /**
   * Receives the diagnostics of the connection, unless the agent has its own `onDiagnostic`. By default, errors that
   * handlers and hooks throw are printed to standard error, with their stack. `false` prints no diagnostics.
   */
  readonly onDiagnostic?: DiagnosticListener | false;
}

const DRAIN_TIMEOUT_MS = 5_000;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Serves an agent from the current process: exchanges messages with the client over standard input and output, and
 * exits when the client disconnects. The function never returns.
 *
 * Standard output is reserved for the protocol: `console.*` and other writers to it write to standard error. If a
 * library prints while it is imported, import `@acp-kit/stdio/node/guard` before it.
 *
 * The process exits with 0 when its input ends, when its output is no longer read, and on `SIGTERM`, `SIGINT` and
 * `SIGHUP`, even with open timers and sockets. An uncaught error is printed to standard error, and the process exits
 * with 1. In each case, it first ends running work and responds to pending requests, for at most `drainTimeoutMs`.
 *
 * If a handler throws an error, the client receives only `Internal error`, and the function prints the error with its
 * stack to standard error. With the option `onDiagnostic`, your function receives the error instead.
 *
 * @see https://agentclientprotocol.com/protocol/transports
 */
export async function serveStdio(agent: Servable, options: ServeStdioOptions = {}): Promise<never> {
  checkOptions("serveStdio", options, optionKinds);
  const output = guardStdout();
  const drainTimeoutMs = options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS;
  let connection: ServedConnection | undefined;
  let exitCode = 0;
  let ending = false;
  /** Called at the first sign that the process will end: limits the time until it exits. */
  const limit = (): void => {
    if (ending) return;
    ending = true;
    after(drainTimeoutMs + EXIT_MARGIN_MS, () => process.exit(exitCode), { keepAlive: true });
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
    process.stderr.write(`${what}, so the agent ends: ${builtin("util").inspect(error)}\n`);
    exitCode = 1;
    end();
  });
  for (const signal of SIGNALS) process.on(signal, end);
  process.stdin.once("end", limit).once("close", limit);
  watchParent();

  const { onDiagnostic = printFailure, drainTimeoutMs: _, ...transport } = options;
  const defaults: ServedDefaults = onDiagnostic === false ? {} : { onDiagnostic };
  connection = agent.connect(nodeTransport(process.stdin, output, transport), defaults);
  await connection.closed;
  return process.exit(exitCode);
}

const optionKinds: OptionKinds<ServeStdioOptions> = {
  drainTimeoutMs: "value",
  onDiagnostic: "value",
  maxMessageBytes: "value",
  closeTimeoutMs: "value",
};

/**
 * Resumes reading when the parent process has ended. A process notices the end of its input only while it reads, and
 * this process pauses reading while too many messages wait for their handlers. If the handlers wait for a client that
 * was killed, this process would never notice the end.
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

/** The time in milliseconds, after `drainTimeoutMs`, that the connection has to close. */
const EXIT_MARGIN_MS = 500;
