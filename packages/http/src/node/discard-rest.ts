import { after } from "@acp-kit/jsonrpc/internal";
import type { NodeRequest } from "./node-exchange.js";

/** The number of bytes of a refused body that the server reads and discards. */
const MAX_DISCARDED_BYTES = 16_777_216;
/** The time in milliseconds in which it does so. */
const MAX_DISCARD_MS = 5_000;

/**
 * Reads and discards the rest of a body that the server does not need, and then calls `done`. It reads no more than {@link MAX_DISCARDED_BYTES} within {@link MAX_DISCARD_MS}.
 * A socket that is closed with unread bytes is reset: the client then fails while it writes, and never sees the response.
 */
export function discardRest(request: NodeRequest, done: () => void): void {
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) stop();
  };
  const stop = (): void => {
    stopWaiting();
    request.off("data", onData).off("end", stop).off("close", stop);
    done();
  };
  const stopWaiting = after(MAX_DISCARD_MS, stop);
  if (request.destroyed) stop();
  else request.on("data", onData).on("end", stop).on("close", stop).resume();
}
