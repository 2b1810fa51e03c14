import type { Transport } from "@acp-kit/jsonrpc";

/**
 * A transport that can also violate the protocol: write arbitrary text, end one direction, break.
 *
 * Scripts and faults work over every {@link Transport}; features that need raw bytes need one of these: both ends of
 * `openMemoryPair`, and those of `@acp-kit/testing/node`.
 */
export interface RawTransport extends Transport {
  /** Writes text or bytes unchanged, after everything sent before: garbage, a torn line, several messages in one piece. */
  write(data: string | Uint8Array): void;
  /** Ends the output; reading continues. */
  endOutput(): void;
  /** Breaks both directions at once; messages in transit are lost. */
  break(error: unknown): void;
}

/** Whether a transport can write text. */
export function isRawTransport(transport: Transport): transport is RawTransport {
  return ["write", "endOutput", "break"].every(
    (name) => typeof (transport as unknown as Record<string, unknown>)[name] === "function",
  );
}
