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

/** A server may have thousands of idle sockets. They share methods and listeners, because closures would need a kilobyte of memory for each socket. */
class WsSocket implements TextSocket {
  readonly #webSocket: WebSocket;
  readonly #raw: Duplex | undefined;
  #isCorked = false;

  constructor(webSocket: WebSocket, raw: Duplex | undefined) {
    this.#webSocket = webSocket;
    this.#raw = raw;
  }

  listen(listener: TextSocketListener): void {
    (this.#webSocket as ListenedWebSocket)[listenerKey] = listener;
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

  static #uncork(socket: WsSocket): void {
    socket.#isCorked = false;
    socket.#raw?.uncork();
  }
}

const listenerKey = Symbol("listener");
const errorKey = Symbol("error");

/** A socket with its listener and the error that broke it. */
type ListenedWebSocket = WebSocket & { [listenerKey]?: TextSocketListener; [errorKey]?: unknown };

function listenerOf(webSocket: WebSocket): TextSocketListener | undefined {
  return (webSocket as ListenedWebSocket)[listenerKey];
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  if (isBinary) listenerOf(this)?.alive(true);
  else listenerOf(this)?.text((data as Buffer).toString("utf8"), (data as Buffer).length);
}

function onPing(this: WebSocket): void {
  listenerOf(this)?.alive(true);
}

function onPong(this: WebSocket): void {
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
