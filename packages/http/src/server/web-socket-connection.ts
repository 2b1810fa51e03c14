import type { Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { headerNames } from "../wire/header-names.js";
import { isJsonObject, kindOfMessage } from "../wire/message-kind.js";
import type { TextSocket } from "../wire/text-socket.js";
import { after } from "../wire/timer.js";
import { WEB_SOCKET_PROTOCOL } from "../wire/token-protocols.js";
import { closeCodes, WebSocketTransport } from "../wire/web-socket-transport.js";
import type { AcpServer } from "./acp-server.js";
import { newConnectionId } from "./connections.js";
import type { HttpExchange } from "./exchange.js";
import type { Principal } from "./principal.js";
import { Refusal } from "./refusal.js";
import type { ServedAgentConnection } from "./served-agent.js";

/** An upgrade that is allowed. */
export interface AcceptedUpgrade {
  /** The headers of the 101 response, with the id of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The sub-protocol to select, if the client offers it. */
  readonly protocol: string | undefined;
  /** The socket is open. */
  readonly attach: (socket: TextSocket) => void;
}

/** How long a closed socket may take for its handshake. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Decides over a WebSocket upgrade: `Host`, `Origin`, credentials, limits.
 *
 * @throws {Refusal} with the status to respond instead of 101.
 */
export async function acceptUpgrade<P extends Principal>(
  server: AcpServer<P>,
  exchange: HttpExchange,
): Promise<AcceptedUpgrade> {
  server.access.checkSource(exchange);
  if (exchange.method !== "GET") throw new Refusal(405, "A WebSocket upgrade is a GET.", { headers: { allow: "GET" } });
  const principal = await server.access.authenticate(exchange);
  server.connections.checkRoom(principal);
  const id = newConnectionId();
  const offered =
    exchange
      .header("sec-websocket-protocol")
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  return {
    headers: { [headerNames.connection]: id },
    protocol: offered.includes(WEB_SOCKET_PROTOCOL) ? WEB_SOCKET_PROTOCOL : undefined,
    attach: (socket) => attach(server, { id, principal, exchange, socket }),
  };
}

interface Attachment<P extends Principal> {
  readonly id: string;
  readonly principal: P;
  readonly exchange: HttpExchange;
  readonly socket: TextSocket;
}

/** The connection counts from here on; its agent is chosen once `initialize` has arrived. */
function attach<P extends Principal>(server: AcpServer<P>, { id, principal, exchange, socket }: Attachment<P>): void {
  const { limits, connections } = server;
  const transport = new WebSocketTransport({
    limits: { ...limits, closeTimeoutMs: CLOSE_TIMEOUT_MS },
    errorOf: (_, detail, cause) => new Error(detail, cause === undefined ? undefined : { cause }),
  });
  const gate = new InitializeGate(transport, {
    timeoutMs: limits.initializeTimeoutMs,
    connect: async () => {
      const agent = await server.agentFor(principal, id, exchange);
      return (gated) => agent.connect(gated, server.agentDefaults);
    },
  });
  connections.add(id, principal, {
    http: undefined,
    sweep: () => transport.sweep(limits),
    close: () => gate.close(limits.drainTimeoutMs),
  });
  void transport.ended.then(() => connections.remove(id));
  transport.attach(socket);
  gate.open();
}

/** What an {@link InitializeGate} lets in. */
interface GateOptions {
  readonly timeoutMs: number;
  /** Chooses the agent; the returned function connects it. */
  readonly connect: () => Promise<(transport: Transport) => ServedAgentConnection>;
}

/**
 * - `waiting`: for `initialize`; no agent is involved.
 * - `connecting`: the agent is being chosen.
 * - `connected`: the connection was handed to the agent.
 * - `ended`: before it came to that.
 */
type GateState =
  | { readonly is: "waiting" | "connecting" | "ended" }
  | { readonly is: "connected"; readonly served: ServedAgentConnection };

/** Lets a connection through to its agent when the first message is `initialize` (RT-21). Until then it costs no agent. */
class InitializeGate {
  readonly #transport: WebSocketTransport;
  readonly #options: GateOptions;
  #state: GateState = { is: "waiting" };
  #stop: () => void = () => {};

  constructor(transport: WebSocketTransport, options: GateOptions) {
    this.#transport = transport;
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
    if (!isJsonObject(value) || kindOfMessage(value) !== "request" || value.method !== "initialize") {
      this.#refuse("the first message must be the request initialize");
      return;
    }
    this.#stop();
    this.#state = { is: "connecting" };
    this.#transport.pause();
    this.#options
      .connect()
      .then((connect) => {
        if (this.#state.is !== "connecting") return;
        const gated = new StartedTransport(this.#transport, { value, size });
        this.#state = { is: "connected", served: connect(gated) };
      })
      .catch((error: unknown) => {
        if (error instanceof Refusal) this.#refuse(error.message.slice(0, 100), closeCodes.tryAgainLater);
        else this.#refuse("the server failed to provide the agent", closeCodes.internal);
      });
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

/** A transport whose first message was read already: it is delivered again, first. */
class StartedTransport implements Transport {
  readonly #transport: WebSocketTransport;
  readonly #first: { readonly value: unknown; readonly size: number };

  constructor(transport: WebSocketTransport, first: { readonly value: unknown; readonly size: number }) {
    this.#transport = transport;
    this.#first = first;
  }

  get full(): Promise<void> | undefined {
    return this.#transport.full;
  }

  start(receiver: TransportReceiver): void {
    const { value, size } = this.#first;
    queueMicrotask(() => {
      receiver.message(value, size);
      this.#transport.start(receiver);
      this.#transport.resume();
    });
  }

  send(message: Parameters<Transport["send"]>[0]): number {
    return this.#transport.send(message);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
