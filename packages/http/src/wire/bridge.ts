import type { MalformedInput, Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { checkOptions, deferred, isJsonObject, type OptionKinds, scanEnvelope } from "@acp-kit/jsonrpc/internal";

/** Options of {@link bridgeTransports}. */
export interface BridgeOptions {
  /** Receives a report of input, from either transport, that was skipped because it is not a JSON-RPC message. */
  readonly onMalformed?: (input: MalformedInput) => void;
  /** Receives a transport that has failed, and its error. The bridge then closes both transports. */
  readonly onFailed?: (transport: Transport, error: unknown) => void;
}

/** Two transports between which messages are forwarded. */
export interface Bridge {
  /** Resolves when both transports are closed, with the error that ended them, if any. Never rejects. */
  readonly closed: Promise<unknown>;
  /** Closes both transports. A second call has no effect, and the returned promise never rejects. */
  close(): Promise<void>;
}

/**
 * Forwards messages between two transports in both directions, in order and unchanged: between transports of bytes, as
 * the same text. While one transport is full,
 * reading from the other is paused, so that no messages accumulate. When one transport ends or breaks, the other is
 * closed.
 *
 * You can build a proxy with this function, for example to make an agent's process available over a WebSocket, or a
 * remote agent available over standard input and output.
 */
export function bridgeTransports(a: Transport, b: Transport, options: BridgeOptions = {}): Bridge {
  checkOptions("bridgeTransports", options, optionKinds);
  const { onMalformed, onFailed } = options;
  const closed = deferred<unknown>();
  let closing: Promise<void> | undefined;
  const close = (error?: unknown): Promise<void> => {
    closing ??= Promise.all([a.close(), b.close()]).then(() => closed.resolve(error));
    return closing;
  };
  const forward = (from: Transport, to: Transport, message: Message, text?: string): void => {
    try {
      to.send(message, text);
    } catch (error) {
      // A transport may pass values, not texts, so a message may contain a bigint.
      const problem = `A message can't be forwarded: ${error instanceof Error ? error.message : error}`;
      onMalformed?.({ kind: "not_json", message: problem, excerpt: "", size: 0 });
      return;
    }
    const { full } = to;
    if (full === undefined) return;
    from.pause();
    void full.then(() => from.resume());
  };
  const receiver = (from: Transport, to: Transport): TransportReceiver => ({
    text(text, _, read) {
      const message = read ?? scanEnvelope(text);
      if (message !== undefined) forward(from, to, message as Message, text);
      return message !== undefined;
    },
    message(value) {
      if (isJsonObject(value)) forward(from, to, value as unknown as Message);
      else onMalformed?.({ kind: "not_json", message: "A message must be a JSON object.", excerpt: "", size: 0 });
    },
    malformed: (input) => onMalformed?.(input),
    ended: () => void close(),
    failed(error) {
      void close(error);
      onFailed?.(from, error);
    },
  });
  a.start(receiver(a, b));
  b.start(receiver(b, a));
  return { closed: closed.promise, close: () => close() };
}

const optionKinds: OptionKinds<BridgeOptions> = { onMalformed: "function", onFailed: "function" };
