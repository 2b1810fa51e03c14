import { setTimeout as sleep } from "node:timers/promises";

/** Repeats an operation of an engine until it is no longer rejected as unavailable, for at most 30 seconds. */
export async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const giveUpAt = performance.now() + 30_000; ; await sleep(20)) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== "unavailable" || performance.now() > giveUpAt) throw error;
    }
  }
}
