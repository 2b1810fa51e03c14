/** What a {@link TextSocket} reports. Each may be called from then on, `closed` once and last. */
export interface TextSocketListener {
  text(text: string, size: number): void;
  /** A ping, a pong or a binary frame: nothing to deliver, and a sign of life. `keepsAlive`: the peer sends such signs regularly. */
  alive(keepsAlive: boolean): void;
  /** It is over. `error` when it broke. */
  closed(code: number, reason: string, error: unknown): void;
}

/** An open WebSocket, whichever library or platform it comes from. */
export interface TextSocket {
  listen(listener: TextSocketListener): void;
  send(text: string): void;
  /** Sends an empty binary frame, which the protocol makes every peer ignore. */
  sendKeepAlive(): void;
  /** Bytes or characters that were sent and have not left. */
  readonly bufferedAmount: number;
  close(code: number, reason: string): void;
  /** Ends it at once, without a handshake. */
  terminate(): void;
  /** Stops and continues reading, where the platform can. */
  readonly pause?: () => void;
  readonly resume?: () => void;
  /** Sends a ping, where the platform can. */
  readonly ping?: () => void;
}

/** The part of the standard `WebSocket` that is used: of browsers, workers, Deno, Bun, Node 22 and the library `ws`. */
export interface WebSocketLike {
  binaryType?: string;
  readonly readyState: number;
  /** Workers have none: then nothing is known of a peer that does not read. */
  readonly bufferedAmount?: number;
  // A method, so that sockets that accept only some kinds of buffers fit.
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: any) => void): void;
}

/** An open standard `WebSocket` as a {@link TextSocket}. */
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
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.close(),
  };
}
