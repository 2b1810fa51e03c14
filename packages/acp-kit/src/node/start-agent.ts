import { type AgentConnection, type ConnectAgentOptions, connectAgent, type Tap } from "@acp-kit/client";
import { onAbort } from "@acp-kit/protocol";
import { redactingTap } from "@acp-kit/redact";
import { type AgentLedger, type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import type { AgentCommand } from "./agent-argument.js";
import { detachedText } from "./detached-text.js";
import { hideInLines } from "./hide-secrets.js";
import type { Host } from "./host.js";
import { killTree } from "./kill-tree.js";
import type { Log } from "./log.js";
import { processLedger } from "./process-ledger.js";
import { version } from "./version.js";
import { wireLine } from "./wire-line.js";

/** Diagnostics that are logged only at level `debug`, because agents cause them all the time: compatibility rules, extension notifications. */
const harmless: ReadonlySet<string> = new Set(["dialect", "unknown_notification"]);

/** Options of {@link startAgent}. */
export interface StartOptions {
  /** Working directory of its process. */
  readonly cwd: string;
  readonly log: Log;
  /** Aborts the start, with its reason; has no effect on an established connection. */
  readonly stop?: AbortSignal;
  /** Aborting kills the agent and its whole process tree immediately. */
  readonly kill?: AbortSignal;
  /** How long the agent may take to exit after its input ends, before it gets `SIGTERM`, in milliseconds. */
  readonly exitGraceMs?: number;
  /** More options of the connection: handlers, a tap. */
  readonly connect?: Omit<ConnectAgentOptions, "info" | "signal">;
}

/** A running, initialized agent. */
export interface StartedAgent extends AsyncDisposable {
  readonly connection: AgentConnection;
  readonly process: AgentProcess;
  /** From the start of the process to the response to `initialize`, in milliseconds. */
  readonly startupMs: number;
  /** Ends the agent: its input, then `SIGTERM`, then `SIGKILL`, for the whole process tree. Never rejects. */
  close(): Promise<void>;
}

/**
 * Starts an agent and initializes it. Its standard error and the diagnostics of the connection go to the log. The agent's process is
 * recorded on disk while it runs, so that the next command ends it if this process is killed.
 *
 * @throws the errors of `connectAgent`; the agent has ended then.
 */
export async function startAgent(agent: AgentCommand, host: Host, options: StartOptions): Promise<StartedAgent> {
  const { cwd, log, stop, kill, exitGraceMs, connect = {} } = options;
  const ledger = processLedger(host);
  const reaped = reap(ledger, log);
  const started = performance.now();
  const hide = hideInLines(host);
  const child = spawnAgent({
    ...agent,
    cwd,
    onStderr: (line) => log.debug(`agent: ${hide(line)}`),
    onDetachedProcesses: (processes) => log.warn(detachedText(processes)),
    ...(exitGraceMs !== undefined && { exitGraceMs }),
    ...(ledger !== undefined && { ledger }),
  });
  const onKill = (): void => killTree(child.pid);
  if (kill !== undefined) onAbort(kill, onKill);
  void child.exited.then(() => kill?.removeEventListener("abort", onKill));
  const starting = new AbortController();
  const onStop = (): void => starting.abort(stop?.reason);
  if (stop !== undefined) onAbort(stop, onStop);
  try {
    const toLog = log.level === "debug" ? tapToLog(log, started) : undefined;
    const seen: Tap = toLog && connect.tap ? both(connect.tap, toLog) : (connect.tap ?? toLog ?? (() => {}));
    // Also without a tap: secrets found in messages are then redacted in errors and reports, too.
    const tap = host.redactor === undefined ? seen : redactingTap(seen, host.redactor);
    const connection = await connectAgent(child, {
      ...connect,
      signal: starting.signal,
      info: { name: "acp-kit", title: "acp-kit command line", version: version() },
      onDiagnostic(diagnostic) {
        (harmless.has(diagnostic.code) ? log.debug : log.warn)(diagnostic.message);
        connect.onDiagnostic?.(diagnostic);
      },
      tap,
    });
    stop?.removeEventListener("abort", onStop);
    const startupMs = performance.now() - started;
    const close = async (): Promise<void> => {
      await connection.close();
      await child.close();
      await reaped;
    };
    return { connection, process: child, startupMs, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await child.close();
    await reaped;
    throw error;
  }
}

/** Ends processes that an earlier, killed run left behind. Callers wait for it: otherwise this process could exit before a slow agent does. */
async function reap(ledger: AgentLedger | undefined, log: Log): Promise<void> {
  try {
    for (const { command } of (await ledger?.reap()) ?? [])
      log.debug(`ended "${command}", which an earlier run had left`);
  } catch {
    // A failed cleanup must not stop this command.
  }
}

function both(one: Tap, other: Tap): Tap {
  return (event) => {
    one(event);
    other(event);
  };
}

function tapToLog(log: Log, startedAt: number): Tap {
  return (event) => log.debug(wireLine(event, startedAt) ?? `agent, invalid message: ${String(event.message)}`);
}
