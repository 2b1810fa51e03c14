import { type MessageLimits, messageLimitDefaults } from "@acp-kit/jsonrpc";

/** The default of every limit of a byte transport. */
export const byteTransportDefaults: Readonly<Required<ByteTransportOptions>> = {
  /** The default of `maxMessageBytes`: 64 MiB. */
  maxMessageBytes: 67_108_864,
  ...messageLimitDefaults,
  /** The default of `highWaterMarkBytes`: 64 KiB. */
  highWaterMarkBytes: 65_536,
  closeTimeoutMs: 5_000,
};

/** Options of a transport over byte streams. {@link byteTransportDefaults} has the default of each limit. */
export interface ByteTransportOptions extends MessageLimits {
  /** The maximum size of a received message; a longer message is skipped without being held in memory, and reported as `too_large`. */
  readonly maxMessageBytes?: number;
  /** The number of bytes queued for writing above which the transport writes them at once and sets `full`. */
  readonly highWaterMarkBytes?: number;
  /**
   * The time in milliseconds that `close()` waits for the peer to read queued messages. After that time, messages that
   * the peer has not read are lost.
   */
  readonly closeTimeoutMs?: number;
}

/** The longest header line, and so the most garbage held in memory, of `Content-Length` framed input. */
export const MAX_HEADER_BYTES = 8_192;

/** How many characters of malformed input a diagnostic shows. */
const EXCERPT_CHARACTERS = 200;

/** The prefix of `text`, copied, so that a diagnostic doesn't keep the whole text in memory. */
export function excerptOf(text: string): string {
  return text.slice(0, EXCERPT_CHARACTERS).split("").join("");
}
