import { type MessageLimits, messageLimitDefaults } from "@acp-kit/jsonrpc";

/** The named defaults of every limit of a byte transport. */
export const byteTransportDefaults: Readonly<Required<ByteTransportOptions>> = {
  /** 64 MiB. */
  maxMessageBytes: 67_108_864,
  ...messageLimitDefaults,
  /** 64 KiB. */
  highWaterMarkBytes: 65_536,
  closeTimeoutMs: 5_000,
};

/** Options of messages over a byte stream. Every limit has a default in {@link byteTransportDefaults}. */
export interface ByteTransportOptions extends MessageLimits {
  /** A longer message is skipped without being held in memory, and reported as `too_large`. */
  readonly maxMessageBytes?: number;
  /** Bytes queued for writing above which they are written at once, and above which `full` asks the sender to wait. */
  readonly highWaterMarkBytes?: number;
  /** How long `close()` waits for the peer to read queued messages. After that they are lost. */
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
