import type { Readable } from "node:stream";
import { after } from "@acp-kit/jsonrpc/internal";

/** The number of bytes of a refused body that the server reads and discards. */
const MAX_DISCARDED_BYTES = 16_777_216;
/** The time in milliseconds in which it does so. */
const MAX_DISCARD_MS = 5_000;
/** The number of bodies that a server discards at the same time. The clients may not be authenticated. */
const MAX_DISCARDS = 256;

/**
 * Reads and discards bodies that a server does not need. A socket that is closed with unread bytes is reset: its client
 * fails while it writes, and never sees the response.
 */
export class DiscardedBodies {
  #running = 0;

  /** Discards the rest of a body, and calls `done` at its end or at a limit. */
  discard(request: Readable, done: () => void): void {
    if (request.destroyed || this.#running >= MAX_DISCARDS) {
      done();
      return;
    }
    this.#running += 1;
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > MAX_DISCARDED_BYTES) stop();
    };
    const stop = (): void => {
      this.#running -= 1;
      stopWaiting();
      request.off("data", onData).off("end", stop).off("close", stop);
      done();
    };
    const stopWaiting = after(MAX_DISCARD_MS, stop);
    request.on("data", onData).on("end", stop).on("close", stop).resume();
  }
}
