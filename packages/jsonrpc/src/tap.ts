/** One message, or one piece of input that was not a JSON-RPC message, as it crossed the connection. */
export interface TapEvent {
  readonly direction: "sent" | "received";
  /** Milliseconds, from `performance.now()`: monotonic, comparable within this process. */
  readonly time: number;
  /** Bytes on the wire, or 0 for a message without a size (in-memory transports). */
  readonly size: number;
  /** The message itself, not a copy: read it synchronously or copy it, never change it. For malformed input the excerpt, a string. */
  readonly message: unknown;
  /** The input could not become a message. */
  readonly malformed?: true;
}

/** Sees every message in both directions, in order, before it is validated. Errors it throws are ignored. Costs nothing when absent. */
export type Tap = (event: TapEvent) => void;
