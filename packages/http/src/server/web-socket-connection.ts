import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { after, isJsonObject } from "@acp-kit/jsonrpc/internal";
import { headerNames } from "../wire/header-names.js";
import { kindOfMessage } from "../wire/message-kind.js";
import type { TextSocket } from "../wire/text-socket.js";
import { WEB_SOCKET_PROTOCOL } from "../wire/token-protocols.js";
import { closeCodes, WebSocketTransport } from "../wire/web-socket-transport.js";
import type { AcpServer } from "./acp-server.js";
import { newConnectionId } from "./connections.js";
import type { HttpExchange } from "./exchange.js";
import type { Principal } from "./principal.js";
import { Refusal } from "./refusal.js";
import type { ServedAgent, ServedAgentConnection, ServedAgentDefaults } from "./served-agent.js";

/** An accepted upgrade. Call `attach` or `release`; otherwise it ends after `initializeTimeoutMs`. */
export interface AcceptedUpgrade {
  /** The headers of the 101 response, with the id of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The sub-protocol to select, if the client offers it. */
  readonly protocol: string | undefined;
  /** Serves the open socket. */
  readonly attach: (socket: TextSocket) => void;
  /** Ends a connection whose handshake failed, for the limits. Has no effect after the socket has opened. */
  readonly release: () => void;
}

/**
 * Accepts a WebSocket upgrade after a check of `Host`, `Origin`, credentials and limits. The connection counts towards
 * the limits from now on. Its agent is chosen when the request `initialize` arrives.
 *
 * @throws {Refusal} with the status of the response to the upgrade.
 */
export async function acceptUpgrade<P extends Principal>(
  server: AcpServer<P>,
  exchange: HttpExchange,
): Promise<AcceptedUpgrade> {
  server.access.checkSource(exchange);
  if (exchange.method !== "GET")
    throw new Refusal(405, "A WebSocket upgrade must be a GET request.", { headers: { allow: "GET" } });
  const principal = await server.access.authenticate(exchange);
  const id = newConnectionId();
  const { limits, connections } = server;
  const memory = server.memory.enter(principal);
  const transport = new WebSocketTransport({
    limits: server.webSocketLimits,
    memory: memory.ofConnection(),
    errorOf: (_, detail, cause) => new Error(detail, cause === undefined ? undefined : { cause }),
  });
  const chooseAgent = server.agentChooser({ connectionId: id, principal, exchange });
  const gate = new InitializeGate(transport, chooseAgent, {
    timeoutMs: limits.initializeTimeoutMs,
    agentDefaults: server.agentDefaults,
    onError: server.onError,
  });
  void transport.ended.then(() => {
    connections.remove(id);
    memory.leave();
  });
  try {
    connections.add(id, principal, {
      http: undefined,
      sweep: () => transport.sweep(limits),
      close: () => gate.close(limits.drainTimeoutMs),
    });
  } catch (error) {
    transport.abandon();
    throw error;
  }
  gate.open();
  const offered =
    exchange
      .header("sec-websocket-protocol")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  return {
    headers: { [headerNames.connection]: id },
    protocol: offered.includes(WEB_SOCKET_PROTOCOL) ? WEB_SOCKET_PROTOCOL : undefined,
    attach: (socket) => transport.attach(socket),
    release: () => transport.abandon(),
  };
}

interface GateOptions {
  readonly timeoutMs: number;
  readonly agentDefaults: ServedAgentDefaults;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * - `waiting`: `initialize` has not arrived.
 * - `connecting`: the server chooses the agent.
 * - `connected`: the agent is connected.
 * - `ended`: the connection ended before the agent was connected.
 */
type GateState =
  | { readonly is: "waiting"; readonly chooseAgent: () => Promise<ServedAgent> }
  | { readonly is: "connecting" | "ended" }
  | { readonly is: "connected"; readonly served: ServedAgentConnection };

const nothing = (): void => {};

const NO_AGENT = "the server failed to provide the agent";

/** Connects a WebSocket to its agent when the first message is `initialize` (rule RT-21). */
class InitializeGate {
  readonly #transport: WebSocketTransport;
  readonly #options: GateOptions;
  #state: GateState;
  #stop: () => void = nothing;

  /** `chooseAgent` keeps the request in memory, so the gate forgets the function after the call. */
  constructor(transport: WebSocketTransport, chooseAgent: () => Promise<ServedAgent>, options: GateOptions) {
    this.#transport = transport;
    this.#state = { is: "waiting", chooseAgent };
    this.#options = options;
  }

  open(): void {
    const { timeoutMs } = this.#options;
    this.#stop = after(timeoutMs, () =>
      this.#refuse(`initialize did not arrive within ${timeoutMs} ms (initializeTimeoutMs)`),
    );
    this.#transport.start({
      message: (value, size) => this.#first(value, size),
      malformed: () => this.#refuse("the first message is not JSON"),
      ended: () => this.#end(),
      failed: () => this.#end(),
    });
  }

  async close(drainTimeoutMs: number): Promise<void> {
    if (this.#state.is === "connected") await this.#state.served.close({ drainTimeoutMs });
    else this.#refuse("the server is shutting down", closeCodes.goingAway);
  }

  #first(value: unknown, size: number): void {
    if (this.#state.is !== "waiting") return;
    const { chooseAgent } = this.#state;
    if (!isJsonObject(value) || kindOfMessage(value) !== "request" || value.method !== "initialize") {
      this.#refuse("the first message must be the request initialize");
      return;
    }
    this.#stop();
    this.#stop = nothing;
    this.#state = { is: "connecting" };
    this.#transport.pause();
    void this.#connect(chooseAgent, { value, size });
  }

  /** Connects the agent. Never rejects: if the agent can't be connected, only this connection is refused. */
  async #connect(chooseAgent: () => Promise<ServedAgent>, first: ReceivedMessage): Promise<void> {
    const { agentDefaults, onError } = this.#options;
    let agent: ServedAgent;
    try {
      agent = await chooseAgent();
    } catch (error) {
      this.#refuseBy(error); // `chooseAgent` has reported the error
      return;
    }
    if (this.#state.is !== "connecting") return;
    try {
      const served = agent.connect(new StartedTransport(this.#transport, first), agentDefaults);
      this.#state = { is: "connected", served };
    } catch (error) {
      if (!(error instanceof Refusal)) onError?.(error);
      this.#refuseBy(error);
    }
  }

  /** Refuses the connection. The client gets the message of a refusal, but not the text of any other error. */
  #refuseBy(error: unknown): void {
    if (error instanceof Refusal) this.#refuse(error.message, closeCodes.tryAgainLater);
    else this.#refuse(NO_AGENT, closeCodes.internal);
  }

  #refuse(reason: string, code: number = closeCodes.protocolError): void {
    this.#end();
    void this.#transport.closeWith(code, reason);
  }

  #end(): void {
    this.#stop();
    if (this.#state.is !== "connected") this.#state = { is: "ended" };
  }
}

interface ReceivedMessage {
  readonly value: unknown;
  readonly size: number;
}

/** A transport whose first message the gate has read. It delivers that message before all others. */
class StartedTransport implements Transport {
  readonly #transport: WebSocketTransport;
  #first: ReceivedMessage | undefined;

  constructor(transport: WebSocketTransport, first: ReceivedMessage) {
    this.#transport = transport;
    this.#first = first;
  }

  get full(): Promise<void> | undefined {
    return this.#transport.full;
  }

  start(receiver: TransportReceiver): void {
    const first = this.#first;
    this.#first = undefined;
    queueMicrotask(() => {
      if (first !== undefined) receiver.message(first.value, first.size);
      this.#transport.start(receiver);
      this.#transport.resume();
    });
  }

  send(message: Message, text?: string): number {
    return this.#transport.send(message, text);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  /** A refusing agent closes its transport and throws in this tick: the close frame has its reason. */
  async close(): Promise<void> {
    if (this.#first !== undefined) await Promise.resolve();
    await this.#transport.close();
  }
}
