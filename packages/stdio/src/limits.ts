import type { MessageLimits } from "@acp-kit/jsonrpc";

/** Options of a transport over byte streams. {@link byteTransportDefaults} has the default of each limit. */
export interface ByteTransportOptions {
  /** The maximum size in bytes of a received message. A longer one is not held, and reported as `too_large`. */
  readonly maxMessageBytes?: number;
  /** The milliseconds that `close()` waits for the peer to read queued messages, before they are lost. */
  readonly closeTimeoutMs?: number;
}

/** The default of every limit of a byte transport. */
export const byteTransportDefaults: Readonly<Required<ByteTransportOptions>> = {
  /** The default of `maxMessageBytes`: 64 MiB. */
  maxMessageBytes: 67_108_864,
  closeTimeoutMs: 5_000,
};

/** The limits of a byte transport that are not options. Tests choose others. */
export interface FixedTransportLimits extends MessageLimits {
  /** With this number of queued bytes, they are written at once, and `full` is a promise until the peer has read. */
  readonly maxUnsentBytes?: number;
  /** The milliseconds for which a transport over Node streams still reads after writing has failed. */
  readonly inputGraceMs?: number;
}

/**
 * The size in bytes of the longest header line of input framed by `Content-Length`. While the reader looks for a
 * header, it never holds more bytes than this in memory.
 */
export const MAX_HEADER_BYTES = 8_192;

/** The number of characters of malformed input that a diagnostic shows. */
const EXCERPT_CHARACTERS = 200;

/** Returns the beginning of `text` as a copy, so that a diagnostic doesn't keep the whole text in memory. */
export function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_CHARACTERS).split("").join("");
}
