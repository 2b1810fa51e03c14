import type { Transport } from "@acp-kit/jsonrpc";

/**
 * A transport that can also break its own rules: write text that is no message, end one direction, break.
 *
 * Scripts and faults work over every {@link Transport}; what only bytes can do needs one of these: both ends of `openMemoryPair`, and those
 * of `@acp-kit/testing/node`.
 */
export interface RawTransport extends Transport {
  /** Writes text or bytes as they are, behind everything sent before: garbage, a torn line, several messages in one piece. */
  write(data: string | Uint8Array): void;
  /** Ends the output; reading goes on. */
  endOutput(): void;
  /** Breaks both directions at once; what was on its way is lost. */
  break(error: unknown): void;
}

/** Whether a transport can write text. */
export function isRawTransport(transport: Transport): transport is RawTransport {
  return ["write", "endOutput", "break"].every(
    (name) => typeof (transport as unknown as Record<string, unknown>)[name] === "function",
  );
}
