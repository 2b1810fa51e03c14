/** Whether this is the run with the numbers in the promise. */
export const isFull: boolean = process.env.ACP_KIT_FIRE === "full";

/** Whether the run repeats faults more often than a usual run. */
export const isFire: boolean = process.env.ACP_KIT_FIRE !== undefined;

/**
 * The number of repetitions: a few in a usual run, the number in the promise with ACP_KIT_FIRE=full, or the number in
 * ACP_KIT_FIRE.
 */
export function times(few: number, full: number): number {
  return isFull ? full : Number(process.env.ACP_KIT_FIRE) || few;
}

/** The load of a cluster: ACP_KIT_FIRE_LOAD, such as `40x400` or `200x30x100`, replaces the given one. */
export function loadOf(few: Load, full: Load): Load {
  const [, sessions, updates, pauseMs = 0] = /^(\d+)x(\d+)(?:x(\d+))?$/.exec(process.env.ACP_KIT_FIRE_LOAD ?? "") ?? [];
  if (sessions === undefined) return isFull ? full : few;
  return { sessions: Number(sessions), updates: Number(updates), pauseMs: Number(pauseMs) };
}

/** The load of a cluster. */
export interface Load {
  /** The number of sessions that run at once. */
  readonly sessions: number;
  /** The number of updates in each turn. */
  readonly updates: number;
  /** The pause between two updates, in milliseconds. */
  readonly pauseMs: number;
}

/** The counts of lost, repeated and reordered numbers. The promise is that all are zero. */
export interface Losses {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

/** All counts are zero. */
export const noLosses: Losses = { lost: 0, doubled: 0, reordered: 0 };

/**
 * Compares the numbers that a client received with 1, 2, 3 … `last`.
 *
 * @param last the last sent number. By default the largest received number, so that losses after it are not counted.
 */
export function lossesOf(received: readonly number[], last: number = Math.max(0, ...received.slice(-1))): Losses {
  const seen = new Set<number>();
  let [doubled, reordered, highest] = [0, 0, 0];
  for (const number of received) {
    if (seen.has(number)) doubled += 1;
    else if (number < highest) reordered += 1;
    seen.add(number);
    highest = Math.max(highest, number);
  }
  let lost = 0;
  for (let number = 1; number <= last; number++) if (!seen.has(number)) lost += 1;
  return { lost, doubled, reordered };
}

/** Adds up several counts. */
export function sumOf(all: readonly Losses[]): Losses {
  const sum = (of: keyof Losses): number => all.reduce((total, losses) => total + losses[of], 0);
  return { lost: sum("lost"), doubled: sum("doubled"), reordered: sum("reordered") };
}

/** Returns the numbers in a text of `/flood`. */
export function numbersIn(text: string): number[] {
  return text.split(/\s+/).filter(Boolean).map(Number);
}
