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

/** What agents do every day and nobody has to be told of: they have dialects, and notifications of their own. */
const harmless: ReadonlySet<string> = new Set(["dialect", "unknown_notification"]);

/** How an agent is started and connected to. */
export interface StartOptions {
  /** Where its process runs. */
  readonly cwd: string;
  readonly log: Log;
  /** Ends starting, with its reason; a connection that stands is left alone. */
  readonly stop?: AbortSignal;
  /** Aborting kills the agent and its whole process tree, without asking. */
  readonly kill?: AbortSignal;
  /** How long the agent may take to exit when its input ends, before it is told to. */
  readonly exitGraceMs?: number;
  /** What goes beyond what every command wants: handlers, a tap. */
  readonly connect?: Omit<ConnectAgentOptions, "info" | "signal">;
}

/** An agent that runs and is initialized. */
export interface StartedAgent extends AsyncDisposable {
  readonly connection: AgentConnection;
  readonly process: AgentProcess;
  /** From the start of the process to the answer of `initialize`, in milliseconds. */
  readonly startupMs: number;
  /** Ends the agent: its input, then `SIGTERM`, then `SIGKILL`, for the whole process tree. Never rejects. */
  close(): Promise<void>;
}

/**
 * Starts an agent and initializes it. What it writes to its standard error and what is odd on its wire goes to the log. The agent is
 * remembered on disk while it runs, so that the next start of any ends it when this process is killed.
 *
 * @throws whatever `connectAgent` throws; nothing of the agent is left then.
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
    // Also where nobody looks at the wire: what is hidden there is hidden in errors and reports.
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

/** Ends what an earlier run left that was killed. It is waited for: this process may be done sooner than a stubborn agent. */
async function reap(ledger: AgentLedger | undefined, log: Log): Promise<void> {
  try {
    for (const { command } of (await ledger?.reap()) ?? [])
      log.debug(`ended "${command}", which an earlier run had left`);
  } catch {
    // What was left is no reason not to go on.
  }
}

function both(one: Tap, other: Tap): Tap {
  return (event) => {
    one(event);
    other(event);
  };
}

function tapToLog(log: Log, startedAt: number): Tap {
  return (event) => log.debug(wireLine(event, startedAt) ?? `agent, not a message: ${String(event.message)}`);
}
