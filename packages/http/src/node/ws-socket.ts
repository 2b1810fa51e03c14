import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { TextSocket } from "../wire/text-socket.js";

/**
 * A WebSocket of the library `ws` as a {@link TextSocket}. With `raw`, the stream below it, the frames of one tick leave in one write.
 */
export function wsSocket(webSocket: WebSocket, raw?: Duplex): TextSocket {
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    raw?.uncork();
  };
  return {
    listen(listener) {
      let error: unknown;
      webSocket.on("message", (data: Buffer, isBinary: boolean) => {
        if (isBinary) listener.alive(true);
        else listener.text(data.toString("utf8"), data.length);
      });
      webSocket.on("ping", () => listener.alive(true));
      webSocket.on("pong", () => listener.alive(false));
      webSocket.on("error", (cause) => {
        error = cause;
      });
      webSocket.on("close", (code, reason) => listener.closed(code, reason.toString("utf8"), error));
    },
    send(text) {
      if (raw !== undefined && !isCorked) {
        isCorked = true;
        raw.cork();
        process.nextTick(uncork);
      }
      webSocket.send(text, ignoreError);
    },
    sendKeepAlive: () => webSocket.send(EMPTY, ignoreError),
    get bufferedAmount() {
      return webSocket.bufferedAmount;
    },
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.terminate(),
    pause: () => webSocket.pause(),
    resume: () => webSocket.resume(),
    ping: () => webSocket.ping(undefined, undefined, ignoreError),
  };
}

const EMPTY = new Uint8Array(0);

/** `close` reports that the socket is gone. */
const ignoreError = (): void => {};
