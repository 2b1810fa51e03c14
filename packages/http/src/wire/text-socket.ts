/** The listener of a {@link TextSocket}. `closed` is called once, after all other calls. */
export interface TextSocketListener {
  text(text: string, size: number): void;
  /** How many bytes of an incomplete message have arrived; 0 when complete. Only for long ones, where known. */
  partial(bytes: number): void;
  /** The peer is alive: a ping, pong or binary frame. `keepsAlive`: whether it sends them regularly. */
  alive(keepsAlive: boolean): void;
  /** Reports that the socket is closed. `error` is set if the socket broke. */
  closed(code: number, reason: string, error: unknown): void;
}

/** An open WebSocket of any library or platform. */
export interface TextSocket {
  listen(listener: TextSocketListener): void;
  send(text: string): void;
  /** Sends an empty binary frame, which every peer ignores (rule RT-22 of the conformance kit). */
  sendKeepAlive(): void;
  /** The number of queued bytes or characters. */
  readonly bufferedAmount: number;
  close(code: number, reason: string): void;
  /** Ends the socket immediately, without a closing handshake. */
  terminate(): void;
  /** Pauses reading. Only on some platforms. `resume` continues reading. */
  readonly pause?: () => void;
  readonly resume?: () => void;
  /**
   * Calls a listener whenever all queued bytes have been handed to the system. The returned function removes the
   * listener. Only on some platforms; on the others, `bufferedAmount` is read at intervals.
   */
  readonly onDrain?: (listener: () => void) => () => void;
  /** Sends a ping. Only on some platforms. */
  readonly ping?: () => void;
}

/** The part of `WebSocket` that this package uses. Browsers, workers, Deno, Bun, Node 22 and `ws` have it. */
export interface WebSocketLike {
  binaryType?: string;
  readonly readyState: number;
  /** Absent in Cloudflare Workers. The transport then can't detect a peer that does not read. */
  readonly bufferedAmount?: number;
  // A method and not a function property, so that the type also fits sockets that accept only some kinds of buffers.
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: any) => void): void;
}

/** The difference between a close code and its equivalent that a standard `WebSocket` accepts: 4011 for 1011. */
const PRIVATE_CODES = 3_000;

/** Adapts an open standard `WebSocket` to {@link TextSocket}. */
export function socketOf(webSocket: WebSocketLike): TextSocket {
  webSocket.binaryType = "arraybuffer";
  return {
    listen(listener) {
      let error: unknown;
      webSocket.addEventListener("message", ({ data }: { data: unknown }) => {
        if (typeof data === "string") listener.text(data, data.length);
        else listener.alive(true);
      });
      webSocket.addEventListener("error", (event: { error?: unknown }) => {
        error = event.error ?? new Error("The WebSocket failed.");
      });
      webSocket.addEventListener("close", ({ code, reason }: { code: number; reason: string }) =>
        listener.closed(code, reason, error),
      );
    },
    send: (text) => webSocket.send(text),
    sendKeepAlive: () => webSocket.send(new Uint8Array(0)),
    get bufferedAmount() {
      return webSocket.bufferedAmount ?? 0;
    },
    close: (code, reason) => {
      try {
        webSocket.close(code, reason);
      } catch {
        // Browsers, and other standard sockets, accept only 1000 and 3000 to 4999
        webSocket.close(code + PRIVATE_CODES, reason);
      }
    },
    terminate: () => webSocket.close(),
  };
}
