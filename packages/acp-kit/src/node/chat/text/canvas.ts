import type { Paint } from "./paint.js";

/** The width and the colours of the output. */
export interface Canvas {
  /** Infinite for a pipe, which needs no wrapping. */
  readonly columns: number;
  readonly paint: Paint;
}
