import type { Paint } from "./paint.js";

/** The width and the colours of the output. */
export interface Canvas {
  /** The width in columns; infinite for a pipe, which needs no wrapping. */
  readonly columns: number;
  readonly paint: Paint;
}
