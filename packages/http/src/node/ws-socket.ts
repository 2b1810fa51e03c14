import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { TextSocket, TextSocketListener } from "../wire/text-socket.js";

/**
 * Adapts a WebSocket of the library `ws` to {@link TextSocket}. If `raw`, the stream of the WebSocket's connection, is
 * given, the adapter sends all frames of one tick in one write.
 */
export function wsSocket(webSocket: WebSocket, raw?: Duplex): TextSocket {
  return new WsSocket(webSocket, raw);
}

/** Idle sockets share methods and listeners: closures would take a kilobyte for each of thousands. */
class WsSocket implements TextSocket {
  readonly #webSocket: WebSocket;
  readonly #raw: Duplex | undefined;
  #isCorked = false;
  /** The bytes that have arrived since the last complete message, and how many of them were reported. */
  #arrived = 0;
  #reported = 0;

  constructor(webSocket: WebSocket, raw: Duplex | undefined) {
    this.#webSocket = webSocket;
    this.#raw = raw;
  }

  listen(listener: TextSocketListener): void {
    (this.#webSocket as ListenedWebSocket)[listenerKey] = listener;
    (this.#webSocket as ListenedWebSocket)[socketKey] = this;
    if (this.#raw !== undefined) {
      (this.#raw as ReadDuplex)[socketKey] = this;
      this.#raw.prependListener("data", onData); // before the listener of `ws`, which completes messages
    }
    this.#webSocket
      .on("message", onMessage)
      .on("ping", onPing)
      .on("pong", onPong)
      .on("error", onError)
      .on("close", onClose);
  }

  send(text: string): void {
    if (this.#raw !== undefined && !this.#isCorked) {
      this.#isCorked = true;
      this.#raw.cork();
      process.nextTick(WsSocket.#uncork, this);
    }
    this.#webSocket.send(text, ignoreError);
  }

  sendKeepAlive(): void {
    this.#webSocket.send(EMPTY, ignoreError);
  }

  get bufferedAmount(): number {
    return this.#webSocket.bufferedAmount;
  }

  onDrain(listener: () => void): () => void {
    this.#raw?.on("drain", listener);
    return () => void this.#raw?.off("drain", listener);
  }

  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    this.#webSocket.resume();
  }

  ping(): void {
    this.#webSocket.ping(undefined, undefined, ignoreError);
  }

  /** Counts bytes of the connection: `ws` stores those of a message until it is complete. */
  arrived(bytes: number): void {
    this.#arrived += bytes;
    if (this.#arrived - this.#reported < PARTIAL_BYTES) return;
    this.#reported = this.#arrived;
    listenerOf(this.#webSocket)?.partial(this.#arrived);
  }

  completed(): void {
    this.#arrived = 0;
    if (this.#reported > 0) listenerOf(this.#webSocket)?.partial(0);
    this.#reported = 0;
  }

  /** Called for a ping or pong, which may arrive within a message. */
  uncount(bytes: number): void {
    this.#arrived = Math.max(this.#reported, this.#arrived - bytes);
  }

  static #uncork(socket: WsSocket): void {
    socket.#isCorked = false;
    socket.#raw?.uncork();
  }
}

const listenerKey = Symbol("listener");
const errorKey = Symbol("error");
const socketKey = Symbol("socket");

/** The number of bytes of an incomplete message between two reports. */
const PARTIAL_BYTES = 65_536;

/** The bytes of the header of a short frame of a client. */
const HEADER_BYTES = 6;

/** The stream of a connection, with the adapter that counts its bytes. */
type ReadDuplex = Duplex & { [socketKey]?: WsSocket };

type ListenedWebSocket = WebSocket & {
  [listenerKey]?: TextSocketListener;
  [errorKey]?: unknown;
  [socketKey]?: WsSocket;
};

function listenerOf(webSocket: WebSocket): TextSocketListener | undefined {
  return (webSocket as ListenedWebSocket)[listenerKey];
}

function onData(this: ReadDuplex, chunk: Buffer): void {
  this[socketKey]?.arrived(chunk.length);
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  (this as ListenedWebSocket)[socketKey]?.completed();
  if (isBinary) listenerOf(this)?.alive(true);
  else listenerOf(this)?.text((data as Buffer).toString("utf8"), (data as Buffer).length);
}

function onPing(this: WebSocket, data: Buffer): void {
  (this as ListenedWebSocket)[socketKey]?.uncount(HEADER_BYTES + data.length);
  listenerOf(this)?.alive(true);
}

function onPong(this: WebSocket, data: Buffer): void {
  (this as ListenedWebSocket)[socketKey]?.uncount(HEADER_BYTES + data.length);
  listenerOf(this)?.alive(false);
}

function onError(this: WebSocket, error: Error): void {
  (this as ListenedWebSocket)[errorKey] = error;
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  listenerOf(this)?.closed(code, reason.toString("utf8"), (this as ListenedWebSocket)[errorKey]);
}

const EMPTY = new Uint8Array(0);

/** Ignores an error, because the event `close` follows. */
const ignoreError = (): void => {};
