/** How often something happens: a few times in every run of the tests, as often as the promise says with ACP_KIT_FIRE=full, or as often as a number there says. */
export function times(few: number, full: number): number {
  const { ACP_KIT_FIRE: wanted = "" } = process.env;
  return wanted === "full" ? full : Number(wanted) || few;
}

/** What went wrong on the way. All zero is the promise. */
export interface Losses {
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

/** None of it. */
export const noLosses: Losses = { lost: 0, doubled: 0, reordered: 0 };

/**
 * Compares the numbers that a client received with 1, 2, 3 … `last`.
 *
 * @param last the last one that was sent; without it, the largest that was received: then nothing is known of what followed.
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

/** The sum of several. */
export function sumOf(all: readonly Losses[]): Losses {
  const sum = (of: keyof Losses): number => all.reduce((total, losses) => total + losses[of], 0);
  return { lost: sum("lost"), doubled: sum("doubled"), reordered: sum("reordered") };
}

/** The numbers in a text of `/flood`. */
export function numbersIn(text: string): number[] {
  return text.split(/\s+/).filter(Boolean).map(Number);
}
