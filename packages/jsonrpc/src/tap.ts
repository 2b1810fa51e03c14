/** A message, or a piece of input that is not a JSON-RPC message, as a tap receives it. */
export interface TapEvent {
  readonly direction: "sent" | "received";
  /** The time of the event in milliseconds, from `performance.now()`. Times of the same process can be compared. */
  readonly time: number;
  /** The size of the message in bytes, or 0 for a message without a size (in-memory transports). */
  readonly size: number;
  /**
   * The message itself, not a copy. Read it synchronously or copy it, and never change it. For input that is not a
   * message, it is an excerpt of the input as a string.
   */
  readonly message: unknown;
  /** Whether the input is not a JSON-RPC message. */
  readonly malformed?: true;
}

/**
 * A function that receives every message in both directions, in order, before it is validated. Errors that it throws
 * are ignored. A connection without a tap does no work for taps.
 */
export type Tap = (event: TapEvent) => void;
