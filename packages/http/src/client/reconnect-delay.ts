/** The second pause before an attempt to reconnect, in milliseconds. Each further pause is twice as long. */
const FIRST_DELAY_MS = 100;

/** Returns the pause after a pause of `delayMs`. The first attempt is made without a pause (`0`). */
export function nextDelay(delayMs: number, maxMs: number): number {
  return delayMs === 0 ? Math.min(FIRST_DELAY_MS, maxMs) : Math.min(delayMs * 2, maxMs);
}
