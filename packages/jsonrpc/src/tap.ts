/** One message, or one piece of input that was no message, as it crossed the connection. */
export interface TapEvent {
  readonly direction: "sent" | "received";
  /** Milliseconds, from `performance.now()`: monotonic, comparable within this process. */
  readonly time: number;
  /** Bytes on the wire, or 0 where a message has none (in-memory transports). */
  readonly size: number;
  /**
   * The message itself, not a copy: read it now or copy it, never change it. For malformed input the excerpt, a string.
   */
  readonly message: unknown;
  /** The input could not become a message. */
  readonly malformed?: true;
}

/** Sees every message both ways, in order, before it is judged. What it throws is ignored. Costs nothing when absent. */
export type Tap = (event: TapEvent) => void;
