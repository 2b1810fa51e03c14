import {
  type AgentConnection,
  type AgentSource,
  type ConnectAgentOptions,
  connectAgent,
  type Tap,
} from "@acp-kit/client";
import type { RemoteAgent } from "@acp-kit/http";
import type { Transport } from "@acp-kit/protocol";
import { onAbort } from "@acp-kit/protocol/internal";
import type { AcpProxy } from "@acp-kit/proxy";
import { type AgentProcess, type SpawnAgentOptions, spawnAgent } from "@acp-kit/stdio/node";
import { type AgentTarget, isRemote, type RemoteTarget } from "../../agent-target.js";
import type { Host } from "../../host.js";
import { killTree } from "../../kill-tree.js";
import type { Log } from "../../log.js";
import { processLedger, reapAgents } from "../../process-ledger.js";
import { assertVersion, type ProtocolChoice, versionsOf } from "../../protocol-version.js";
import { openRemote } from "../../remote-agent.js";
import { behindProxies } from "../../use-proxies.js";
import { version } from "../../version.js";

/** The codes of diagnostics that the chat doesn't show, because many agents cause them often. */
const harmless: ReadonlySet<string> = new Set(["dialect", "unknown_notification", "prompt_degraded"]);

/** Options for starting the agent of a chat. */
export interface ChatAgentOptions {
  readonly cwd: string;
  readonly proxies: readonly AcpProxy[];
  readonly log: Log;
  readonly tap: Tap;
  /** A signal that aborts the start. The start then rejects with the reason of the signal. */
  readonly stop: AbortSignal;
  /** A signal that kills the agent and its process tree immediately. */
  readonly kill: AbortSignal;
  readonly protocol: ProtocolChoice;
  readonly connect: Omit<ConnectAgentOptions, "info" | "signal" | "tap" | "onDiagnostic" | "versions">;
}

/** The agent of a chat. The client starts it again by `open` of its {@link ChatAgentSource}. */
export interface ChatAgent {
  readonly connection: AgentConnection;
  /** Closes the agent. The returned promise never rejects. */
  close(): Promise<void>;
}

/** Starts the agents of a chat. */
export interface ChatAgentSource extends AgentSource {
  /** Sets environment variables for all later starts of the agent. Has no effect for a remote agent. */
  setVariables(variables: Readonly<Record<string, string>>): void;
  /** Kills the agent's process, or ends the connection to a remote agent immediately. */
  kill(): void;
}

/** Connections to an agent behind a URL, one after the other. */
class RemoteConnections implements ChatAgentSource {
  readonly #target: RemoteTarget;
  readonly #log: Log;
  readonly #kill = new AbortController();
  #remote: Promise<RemoteAgent> | undefined;

  constructor(target: RemoteTarget, log: Log) {
    this.#target = target;
    this.#log = log;
  }

  setVariables(): void {} // a remote agent has its own environment, so the variables are not set

  async open(): Promise<Transport> {
    this.#remote ??= openRemote(this.#target, { kill: this.#kill.signal, log: this.#log });
    return (await this.#remote).open();
  }

  async close(): Promise<void> {
    await (await this.#remote)?.close();
  }

  kill(): void {
    this.#kill.abort();
  }
}

/**
 * The local processes of an agent, at most one at a time. `open` closes the previous process and starts a new one with
 * the environment variables that are set at that time. Concurrent calls run one after the other.
 */
class AgentProcesses implements ChatAgentSource {
  readonly #start: (env: Readonly<Record<string, string>>) => AgentProcess;
  #variables: Readonly<Record<string, string>> = {};
  #process: AgentProcess | undefined;
  /** Settles when the last call of `open` has settled. Never rejects. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(start: (env: Readonly<Record<string, string>>) => AgentProcess) {
    this.#start = start;
  }

  setVariables(variables: Readonly<Record<string, string>>): void {
    this.#variables = { ...this.#variables, ...variables };
  }

  open(): Promise<AgentProcess> {
    const opened = this.#opening.then(() => this.#restart());
    this.#opening = opened.catch(() => {});
    return opened;
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#process?.close();
  }

  kill(): void {
    killTree(this.#process?.pid);
  }

  async #restart(): Promise<AgentProcess> {
    await this.#process?.close();
    this.#process = this.#start(this.#variables);
    return this.#process;
  }
}

/** Creates the source of connections: processes of a command, whose standard error is logged, or a URL. */
export function chatAgentSource(
  agent: AgentTarget,
  host: Host,
  {
    log,
    ...options
  }: { readonly cwd: string; readonly log: Log } & Pick<SpawnAgentOptions, "onStderr" | "onDetachedProcesses">,
): ChatAgentSource {
  if (isRemote(agent)) return new RemoteConnections(agent, log);
  const ledger = processLedger(host);
  void reapAgents(ledger, log);
  return new AgentProcesses((variables) =>
    spawnAgent({ ...agent, ...options, env: { ...agent.env, ...variables }, ...(ledger && { ledger }) }),
  );
}

/**
 * Connects to the agent.
 *
 * @throws the errors of `connectAgent` and {@link assertVersion}. After an error, the agent's process has ended.
 */
export async function startChatAgent(source: ChatAgentSource, options: ChatAgentOptions): Promise<ChatAgent> {
  const { log, tap, stop, kill, protocol, connect, proxies } = options;
  const starting = new AbortController();
  const onStop = (): void => starting.abort(stop.reason);
  const onKill = (): void => source.kill();
  onAbort(stop, onStop);
  onAbort(kill, onKill);
  try {
    stop.throwIfAborted();
    const connection = await connectAgent(behindProxies(source, proxies), {
      ...connect,
      ...versionsOf(protocol),
      tap,
      signal: starting.signal,
      info: { name: "acp-kit", title: "acp-kit chat", version: version() },
      onDiagnostic: ({ code, message }) => (harmless.has(code) ? log.debug : log.warn)(message),
    });
    try {
      assertVersion(protocol, connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return { connection, close: () => connection.close() };
  } finally {
    stop.removeEventListener("abort", onStop); // `stop` must not end an established connection
  }
}
