import { type AgentConnection, type ConnectAgentOptions, connectAgent, type Tap } from "@acp-kit/client";
import type { Transport } from "@acp-kit/protocol";
import { onAbort } from "@acp-kit/protocol/internal";
import type { AcpProxy } from "@acp-kit/proxy";
import { redactingTap } from "@acp-kit/redact";
import { type AgentProcess, type DetachedProcess, type DetachedProcessPolicy, spawnAgent } from "@acp-kit/stdio/node";
import type { AgentCommand } from "./agent-target.js";
import { type AgentTarget, isRemote, type RemoteTarget } from "./agent-target.js";
import { detachedText } from "./detached-text.js";
import { hideInLines } from "./hide-secrets.js";
import type { Host } from "./host.js";
import { killTree } from "./kill-tree.js";
import type { Log } from "./log.js";
import { processLedger, reapAgents } from "./process-ledger.js";
import { assertVersion, type ProtocolChoice, versionsOf } from "./protocol-version.js";
import { openRemote } from "./remote-agent.js";
import { behindProxies } from "./use-proxies.js";
import { version } from "./version.js";
import { wireLine } from "./wire-line.js";

/**
 * The codes of diagnostics that are logged only at level `debug`, because many agents cause them often: applied
 * compatibility rules, notifications of extensions.
 */
const harmless: ReadonlySet<string> = new Set(["dialect", "unknown_notification"]);

/** Options of {@link startAgent}. */
export interface StartOptions {
  /** The working directory of the agent's process, if the agent is local. */
  readonly cwd: string;
  readonly log: Log;
  /** When this signal aborts, the start fails with the signal's reason. An established connection stays. */
  readonly stop?: AbortSignal;
  /** A signal that kills the agent and its whole process tree immediately. */
  readonly kill?: AbortSignal;
  /** How long the agent may take to exit after its input ends, before it gets `SIGTERM`, in milliseconds. */
  readonly exitGraceMs?: number;
  /** What to do with processes that the agent leaves running outside its process group. Default: `report`. */
  readonly detachedProcesses?: DetachedProcessPolicy;
  /** The version of the protocol. The default is `1`. */
  readonly protocol?: ProtocolChoice;
  /** The ACP proxies in front of the agent; the first is next to the client. */
  readonly proxies?: readonly AcpProxy[];
  /** More options of the connection: handlers, a tap. */
  readonly connect?: Omit<ConnectAgentOptions, "info" | "signal" | "versions">;
}

/** A running, initialized agent. */
export interface StartedAgent extends AsyncDisposable {
  readonly connection: AgentConnection;
  /** The agent's process; `undefined` for an agent at a URL. */
  readonly process: AgentProcess | undefined;
  /** The milliseconds from the start of the process, or the first request, to the response to `initialize`. */
  readonly startupMs: number;
  /** Ends the agent and its whole process tree: ends its input, then sends `SIGTERM`, then `SIGKILL`. Never rejects. */
  close(): Promise<void>;
}

interface AgentEnd {
  readonly transport: Transport;
  readonly process: AgentProcess | undefined;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * Starts an agent, or connects to an agent at a URL, and initializes the agent. The agent's standard error and the
 * diagnostics of the connection are written to the log. The agent's process is recorded on disk while it runs, so that
 * the next command can end it if this process is killed.
 *
 * @throws the errors of `connectAgent` and {@link assertVersion}. After an error, the agent has ended.
 */
export async function startAgent(target: AgentTarget, host: Host, options: StartOptions): Promise<StartedAgent> {
  const { log, stop, protocol = "1", connect = {} } = options;
  const started = performance.now();
  const {
    transport,
    process,
    close: closeEnd,
  } = await (isRemote(target) ? remoteEnd(target, options) : processEnd(target, host, options));
  const starting = new AbortController();
  const onStop = (): void => starting.abort(stop?.reason);
  if (stop !== undefined) onAbort(stop, onStop);
  try {
    const toLog = log.level === "debug" ? tapToLog(log, started) : undefined;
    const seen: Tap = toLog && connect.tap ? both(connect.tap, toLog) : (connect.tap ?? toLog ?? (() => {}));
    // The tap is set even if the caller passes none: it shows all messages to the redactor, which then hides their
    // secrets in errors and reports, too.
    const tap = host.redactor === undefined ? seen : redactingTap(seen, host.redactor);
    const connection = await connectAgent(behindProxies(transport, options.proxies ?? []), {
      ...connect,
      ...versionsOf(protocol),
      signal: starting.signal,
      info: { name: "acp-kit", title: "acp-kit command line", version: version() },
      onDiagnostic(diagnostic) {
        (harmless.has(diagnostic.code) ? log.debug : log.warn)(diagnostic.message);
        connect.onDiagnostic?.(diagnostic);
      },
      tap,
    });
    stop?.removeEventListener("abort", onStop);
    assertVersion(protocol, connection);
    const startupMs = performance.now() - started;
    const close = async (): Promise<void> => {
      await connection.close();
      await closeEnd();
    };
    return { connection, process, startupMs, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await closeEnd();
    throw error;
  }
}

async function remoteEnd(target: RemoteTarget, { kill, log }: StartOptions): Promise<AgentEnd> {
  const remote = await openRemote(target, { log, ...(kill !== undefined && { kill }) });
  return { transport: await remote.open(), process: undefined, close: () => remote.close() };
}

async function processEnd(agent: AgentCommand, host: Host, options: StartOptions): Promise<AgentEnd> {
  const { cwd, log, kill, exitGraceMs, detachedProcesses } = options;
  const ledger = processLedger(host);
  // Awaited at the end, because this process could otherwise exit before a slow agent has ended.
  const reaped = reapAgents(ledger, log);
  host.redactor?.learn({ env: agent.env }); // the agent may log its keys
  const hide = hideInLines(host);
  const { identity: _, ...command } = agent;
  const child = spawnAgent({
    ...command,
    cwd,
    onStderr: (line) => log.debug(`agent: ${hide(line)}`),
    onDetachedProcesses: (processes) => logDetached(processes, log),
    ...(exitGraceMs !== undefined && { exitGraceMs }),
    ...(detachedProcesses !== undefined && { detachedProcesses }),
    ...(ledger !== undefined && { ledger }),
  });
  const onKill = (): void => killTree(child.pid);
  if (kill !== undefined) onAbort(kill, onKill);
  void child.exited.then(() => kill?.removeEventListener("abort", onKill));
  const close = async (): Promise<void> => {
    await child.close();
    await reaped;
  };
  return { transport: child, process: child, close };
}

/** Logs processes that the agent left running, as a warning or, if known to be on purpose, as information. */
function logDetached(processes: readonly DetachedProcess[], log: Log): void {
  const [expected, others] = [processes.filter((each) => each.expected), processes.filter((each) => !each.expected)];
  if (expected.length > 0) log.info(`${detachedText(expected)}, on purpose`);
  if (others.length > 0) log.warn(detachedText(others));
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
