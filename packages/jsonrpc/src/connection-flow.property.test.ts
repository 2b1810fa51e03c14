import fc from "fast-check";
import { expect, it } from "vitest";
import { BlockingPeer } from "../test/blocking-peer.js";
import { bySession } from "../test/connect.js";
import { turn } from "../test/settle.js";
import { backlogOf } from "./connection.js";
import { Connection } from "./index.js";

// A message of 488 bytes counts 1,000 with its overhead.
const size = 488;
const maxBacklogBytes = 10_000;
const hardLimit = 60;
const lanes = ["a", "b", "c"];

interface Update {
  readonly sessionId: string;
  readonly n: number;
}

/** The lanes of messages that the peer writes at once. */
const burst = fc.oneof(
  fc.array(fc.nat({ max: 2 }), { maxLength: 5 }),
  fc.array(fc.nat({ max: 2 }), { minLength: 15, maxLength: 40 }),
);

/** What one handler awaits before it finishes. */
const act = fc.oneof(
  { weight: 2, arbitrary: fc.record({ awaits: fc.constantFrom("nothing", "time", "room" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      awaits: fc.constantFrom("response", "prompt" as const),
      lane: fc.nat({ max: 3 }),
      burst, // written before the response
    }),
  },
);
const acts = fc.array(act, { maxLength: 30 });

/** Runs one peer against handlers of which each does the next of `acts`. */
async function play(
  first: readonly number[],
  acts: readonly (typeof act extends fc.Arbitrary<infer One> ? One : never)[],
) {
  const written = new Map<string, number[]>();
  const handled = new Map<string, number[]>();
  const failures: unknown[] = [];
  let next = 0;
  let running = 0;
  const updates = (burst: readonly number[]): object[] =>
    burst.map((index) => {
      const sessionId = lanes[index] as string;
      next += 1;
      written.set(sessionId, [...(written.get(sessionId) ?? []), next]);
      return { method: "update", params: { sessionId, n: next } };
    });
  const peer = new BlockingPeer((message) => {
    if (!("id" in message)) return [];
    const { burst } = (message as { params?: unknown }).params as { burst: number[] };
    return [...updates(burst), { id: message.id, result: "done" }];
  });
  const connection = new Connection(peer, { orderBy: bySession, maxBacklogBytes, drainTimeoutMs: 5 });
  const plan = [...acts];
  const perform = async (own: number): Promise<void> => {
    const one = plan.shift();
    if (one?.awaits === "time") return turn();
    if (one?.awaits === "room") return connection.notify("log");
    if (one === undefined || !("lane" in one)) return;
    // A lane that waits for another one is not waited for by it: whatever reads, such lanes would wait for each other.
    const sessionId = lanes[Math.max(one.lane, own)];
    const alwaysOrdered = one.awaits === "prompt" && one.lane > own;
    const { burst } = one;
    await connection.request("ask", { sessionId, burst }, { alwaysOrdered }).catch((error) => failures.push(error));
  };
  const handle = async ({ sessionId, n }: Update): Promise<void> => {
    handled.set(sessionId, [...(handled.get(sessionId) ?? []), n]);
    running += 1;
    await perform(lanes.indexOf(sessionId));
    running -= 1;
  };
  // The handler of the last lane queues its messages, and a loop reads them.
  const queue: Update[] = [];
  let isReading = false;
  const read = async (): Promise<void> => {
    isReading = true;
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      backlogOf(connection).remove(one.sessionId, size);
      await handle(one);
    }
    isReading = false;
  };
  connection.onNotification("update", (params) => {
    const update = params as Update;
    if (update.sessionId !== lanes.at(-1)) return handle(update);
    queue.push(update);
    backlogOf(connection).add(update.sessionId, size);
    if (!isReading) void read();
    return undefined;
  });
  connection.listen();
  peer.write(...updates(first));
  for (let i = 0; i < 400; i += 1) {
    peer.tick(size);
    await turn();
  }
  if (connection.state !== "open") await connection.closed; // a handler that waits for room gets it at the latest now
  await turn();
  return { connection, written, handled, failures, running, count: next };
}

it("bound.no-dead-lock: no order of handlers and readers that await their own requests waits forever: everything is handled, or the connection ends at its hard limit", async () => {
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(burst, acts, async (first, acts) => {
      const { connection, written, handled, failures, running, count } = await play(first, acts);
      expect(running).toBe(0);
      if (connection.state === "open") {
        expect(failures).toEqual([]);
        expect(handled).toEqual(written);
      } else {
        ended += 1;
        expect(count).toBeGreaterThan(hardLimit);
        expect(await connection.closed).toMatchObject({ code: "backlog_full" });
        for (const error of failures) expect(error).toMatchObject({ name: "ConnectionError", code: "backlog_full" });
        for (const [lane, numbers] of handled)
          expect(numbers).toEqual((written.get(lane) ?? []).slice(0, numbers.length));
      }
      await connection.close();
    }),
    { numRuns: 150 },
  );
  expect(ended).toBeGreaterThan(0); // some of the runs reach the hard limit
});
