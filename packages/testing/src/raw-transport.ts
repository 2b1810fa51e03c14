import type { Transport } from "@acp-kit/jsonrpc";

/**
 * A transport that can also violate the protocol: it can write any text, end one direction, and break the connection.
 *
 * Scripts and faults work over every {@link Transport}. Features that need raw bytes work only over the transports of
 * `openMemoryPair` and `@acp-kit/testing/node`.
 */
export interface RawTransport extends Transport {
  /** Writes text or bytes unchanged, after all earlier messages: garbage, an incomplete line, several lines. */
  write(data: string | Uint8Array): void;
  /** Ends the output of this side, which continues to read. */
  endOutput(): void;
  /** Breaks both directions at the same time; undelivered messages are lost. */
  break(error: unknown): void;
}

/** Returns whether a transport is a `RawTransport`. */
export function isRawTransport(transport: Transport): transport is RawTransport {
  return ["write", "endOutput", "break"].every(
    (name) => typeof (transport as unknown as Record<string, unknown>)[name] === "function",
  );
}
