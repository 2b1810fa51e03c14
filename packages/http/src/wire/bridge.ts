import { deferred, type MalformedInput, type Message, type Transport, type TransportReceiver } from "@acp-kit/jsonrpc";
import { isJsonObject } from "./message-kind.js";

/** What a bridge reports. */
export interface BridgeOptions {
  /** Receives input of either side that is not a JSON-RPC message and was skipped. */
  readonly onMalformed?: (input: MalformedInput) => void;
}

/** Two transports that are joined. */
export interface Bridge {
  /** Resolves when both sides are closed, with the error that ended them, if one did. Never rejects. */
  readonly closed: Promise<unknown>;
  /** Closes both sides. Idempotent; never rejects. */
  close(): Promise<void>;
}

/**
 * Joins two transports: what one receives the other sends, in order, unchanged. A side that is full pauses the other, so that nothing gathers here.
 * When one side ends or breaks, the other is closed.
 *
 * It is all that a proxy between two transports needs: an agent's process behind a WebSocket, a remote agent behind standard input and output.
 */
export function bridgeTransports(a: Transport, b: Transport, { onMalformed }: BridgeOptions = {}): Bridge {
  const closed = deferred<unknown>();
  let closing: Promise<void> | undefined;
  const close = (error?: unknown): Promise<void> => {
    closing ??= Promise.all([a.close(), b.close()]).then(() => closed.resolve(error));
    return closing;
  };
  const receiver = (from: Transport, to: Transport): TransportReceiver => ({
    message(value) {
      if (!isJsonObject(value)) {
        onMalformed?.({ kind: "not_json", message: "A message is a JSON object.", excerpt: "", size: 0 });
        return;
      }
      to.send(value as unknown as Message);
      const { full } = to;
      if (full === undefined) return;
      from.pause();
      void full.then(() => from.resume());
    },
    malformed: (input) => onMalformed?.(input),
    ended: () => void close(),
    failed: (error) => void close(error),
  });
  a.start(receiver(a, b));
  b.start(receiver(b, a));
  return { closed: closed.promise, close: () => close() };
}
