import type { Side } from "./run.js";

/** A figure of the report: the measurement of each side, and whether it meets the goal. */
export interface Row {
  readonly title: string;
  readonly unit: string;
  readonly figures: Readonly<Partial<Record<Side, number>>>;
  /** The goal as text, and whether the figures meet it. A row without a goal is informative. */
  readonly goal?: { readonly words: string; readonly met: boolean };
}

/** Rows that belong together. */
export interface Section {
  readonly title: string;
  /** How the section is measured, in one or two sentences. */
  readonly how: string;
  readonly rows: readonly Row[];
}

/** Measures one section. `rounds` is the number of runs of each side. */
export interface Measure {
  readonly name: string;
  measure(rounds: number): Promise<Section>;
}

/** A goal that is a ratio of two figures. */
export function ratioGoal(
  words: string,
  figures: Row["figures"],
  ...bounds: readonly { readonly over: Side; readonly atLeast?: number; readonly atMost?: number }[]
): NonNullable<Row["goal"]> {
  const met = bounds.every(({ over, atLeast = 0, atMost = Number.POSITIVE_INFINITY }) => {
    const ratio = (figures.ours ?? Number.NaN) / (figures[over] ?? Number.NaN);
    return ratio >= atLeast && ratio <= atMost;
  });
  return { words, met };
}

/** A goal that is a bound on our own figure. */
export function boundGoal(words: string, ours: number | undefined, atMost: number): NonNullable<Row["goal"]> {
  return { words, met: (ours ?? Number.NaN) <= atMost };
}
