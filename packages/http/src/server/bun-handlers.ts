import type { WebSocketLike } from "../wire/text-socket.js";
import type { AcpHandler } from "./acp-handler.js";
import type { WebSocketUpgrade } from "./web-socket-upgrade.js";

/** The part of Bun's `Server` that {@link bunHandlers} uses. */
export interface BunServerLike {
  upgrade(request: Request, options: { headers: Record<string, string>; data: unknown }): boolean;
}

/** The part of Bun's `ServerWebSocket` that {@link bunHandlers} uses. */
export interface BunWebSocketLike {
  data: unknown;
  readonly readyState: number;
  send(data: string | Uint8Array): number;
  close(code?: number, reason?: string): void;
  getBufferedAmount(): number;
}

/** The options of `Bun.serve` that serve an agent. {@link bunHandlers} creates them. */
export interface BunHandlers {
  /** Responds to requests and upgrades WebSockets (then with `undefined`). The function is bound. */
  readonly fetch: (request: Request, server: BunServerLike) => Promise<Response | undefined>;
  /**
   * The handlers and settings of all WebSockets. `maxPayloadLength` is Bun's own limit for the size of a message: if
   * you change `maxMessageBytes`, change it too.
   */
  readonly websocket: {
    readonly maxPayloadLength: number;
    readonly backpressureLimit: number;
    readonly perMessageDeflate: false;
    open(socket: BunWebSocketLike): void;
    message(socket: BunWebSocketLike, message: string | Uint8Array): void;
    close(socket: BunWebSocketLike, code: number, reason: string): void;
  };
}

/** The default of `maxMessageBytes`. Bun closes the socket with 1009 when a message is longer. */
const MAX_PAYLOAD_BYTES = 16_777_216;

/** Above this number of queued bytes, Bun drops messages. `maxQueuedBytes` ends the connection before. */
const BACKPRESSURE_BYTES = 268_435_456;

/**
 * Serves an agent in Bun over HTTP and WebSocket. A server of Bun has no standard `WebSocket` objects: one object
 * handles the events of all sockets.
 *
 * Set `idleTimeout` of `Bun.serve` to more than `keepAliveMs`, because Bun by default ends responses that are silent
 * for ten seconds.
 *
 * @example
 * ```ts
 * Bun.serve({ hostname: "127.0.0.1", port: 4242, idleTimeout: 60, ...bunHandlers(createAcpHandler(agent)) });
 * ```
 */
export function bunHandlers(handler: AcpHandler): BunHandlers {
  return {
    async fetch(request, server) {
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return handler.fetch(request);
      const upgrade = await handler.upgrade(request);
      if (upgrade.is === "refused") return upgrade.response;
      const { headers, protocol } = upgrade;
      const data: SocketData = { accept: upgrade.accept, socket: undefined };
      const isUpgraded = server.upgrade(request, {
        headers: { ...headers, ...(protocol !== undefined && { "sec-websocket-protocol": protocol }) },
        data,
      });
      if (isUpgraded) return undefined;
      // With a closed socket, the connection no longer counts towards the limits
      upgrade.accept(new BunSocket(undefined));
      return new Response("The request is not a valid WebSocket upgrade.\n", { status: 400 });
    },
    websocket: {
      maxPayloadLength: MAX_PAYLOAD_BYTES,
      backpressureLimit: BACKPRESSURE_BYTES,
      perMessageDeflate: false,
      open(webSocket) {
        const data = webSocket.data as SocketData;
        data.socket = new BunSocket(webSocket);
        data.accept(data.socket);
      },
      message(webSocket, message) {
        (webSocket.data as SocketData).socket?.emit("message", { data: message });
      },
      close(webSocket, code, reason) {
        (webSocket.data as SocketData).socket?.emit("close", { code, reason });
      },
    },
  };
}

interface SocketData {
  readonly accept: Extract<WebSocketUpgrade, { is: "accepted" }>["accept"];
  /** Set when the socket opens. */
  socket: BunSocket | undefined;
}

type SocketEvent = Parameters<WebSocketLike["addEventListener"]>[0];
type SocketListener = Parameters<WebSocketLike["addEventListener"]>[1];

/** Adapts one of Bun's sockets to the standard interface. `undefined` stands for a socket that is closed already. */
class BunSocket implements WebSocketLike {
  readonly #webSocket: BunWebSocketLike | undefined;
  readonly #listeners = new Map<SocketEvent, SocketListener[]>();

  constructor(webSocket: BunWebSocketLike | undefined) {
    this.#webSocket = webSocket;
  }

  get readyState(): number {
    return this.#webSocket?.readyState ?? CLOSED;
  }

  get bufferedAmount(): number {
    return this.#webSocket?.getBufferedAmount() ?? 0;
  }

  send(data: string | Uint8Array): void {
    this.#webSocket?.send(data);
  }

  close(code?: number, reason?: string): void {
    this.#webSocket?.close(code, reason);
  }

  addEventListener(type: SocketEvent, listener: SocketListener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  emit(type: SocketEvent, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
}

/** `WebSocket.CLOSED`. */
const CLOSED = 3;
