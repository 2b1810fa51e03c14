import type { Paint } from "./paint.js";

/** What things are drawn on: how wide it is, and whether it has colours. */
export interface Canvas {
  /** Infinite where nothing has to be wrapped: a pipe. */
  readonly columns: number;
  readonly paint: Paint;
}
