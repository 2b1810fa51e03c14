import { type GatewayClock, sleep } from "../clock.js";
import type { Position } from "../engine/journal-page.js";
import type { Feed, FeedPage } from "./feed.js";

/** How long a reader waits for the owner of a session to append lost entries again, in milliseconds. */
export const REPAIR_MS = 10_000;

/** The times of a reader that waits for lost entries. */
export interface RepairWait {
  readonly clock: GatewayClock;
  readonly retryMs: number;
}

/**
 * Reads the entries after a position. If the engine has lost entries in a failover, waits until their owner has
 * appended them again. Returns `ahead` if they don't return.
 */
export function readRepaired(feed: Pick<Feed, "read">, after: Position, wait: RepairWait): Promise<FeedPage> {
  return untilRepaired(
    () => feed.read(after),
    (page) => page.is === "ahead" && page.mayReturn,
    wait,
  );
}

/**
 * Reads the entries that other replicas have appended. If the engine has lost entries in a failover, waits until their
 * owner has appended them again. If they don't return, moves to the end of the journal (`lost`).
 */
export async function pullRepaired(
  feed: Pick<Feed, "pull" | "skip">,
  wait: RepairWait,
): Promise<"read" | "lost" | "missing"> {
  const end = await untilRepaired(
    () => feed.pull(),
    (pulled) => pulled === "ahead",
    wait,
  );
  if (end === "read" || end === "missing") return end;
  return (await feed.skip()) ? "lost" : "missing";
}

/** Repeats an attempt while its result shows that lost entries may return, for at most {@link REPAIR_MS}. */
async function untilRepaired<Result>(
  attempt: () => Result | Promise<Result>,
  mayReturn: (result: Result) => boolean,
  { clock, retryMs }: RepairWait,
): Promise<Result> {
  const deadline = clock.now() + REPAIR_MS;
  for (;;) {
    const result = await attempt();
    if (!mayReturn(result) || clock.now() >= deadline) return result;
    await sleep(clock, retryMs);
  }
}
