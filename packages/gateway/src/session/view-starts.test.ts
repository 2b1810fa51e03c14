import fc from "fast-check";
import { expect, test } from "vitest";
import type { Position } from "../engine/journal-page.js";
import { newState, type SessionState } from "./session-state.js";
import { viewStartFor, withViewStart } from "./view-starts.js";

const idle = newState("a", {}, "replica", 2);

/** The state after turns of these lengths. */
function after(lengths: readonly number[]): { readonly state: SessionState; readonly end: number } {
  let state = idle;
  let seq = 0;
  for (const length of lengths) {
    state = { ...state, viewStarts: withViewStart(state, { seq, epoch: 1 }) };
    seq += length;
  }
  return { state, end: seq };
}

test("the view of a client starts at most as far before its position as the journal continues after it, apart from two turns", () => {
  const turns = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(turns, fc.nat(), (lengths, any) => {
      const { state, end } = after(lengths);
      const position: Position = { seq: any % (end + 1), epoch: 1 };
      const start = viewStartFor(state, position);
      expect(start?.seq).toBeLessThanOrEqual(position.seq);
      expect(position.seq - (start?.seq ?? 0)).toBeLessThanOrEqual(end - position.seq + 2 * 50);
    }),
  );
});

test("the number of view starts grows with the logarithm of the number of turns", () => {
  expect(after(Array(10_000).fill(10)).state.viewStarts?.length).toBeLessThan(40);
  expect(after(Array(100).fill(10)).state.viewStarts?.length).toBeLessThan(20);
});

test("a turn that begins while work or a request of an earlier turn is open is no start of a view", () => {
  const at = { seq: 9, epoch: 1 };
  expect(withViewStart(idle, at)).toEqual([at]);
  const work = [{ type: "tool_call", toolCallId: "c" }];
  for (const open of [
    { turn: "k" },
    { requests: ["1.1"] },
    { activity: { state: "running" } },
    { activity: { state: "idle", background: work } },
  ])
    expect(withViewStart({ ...idle, ...open, viewStarts: [{ seq: 1, epoch: 1 }] }, at)).toEqual([{ seq: 1, epoch: 1 }]);
  expect(withViewStart({ ...idle, activity: { state: "idle", background: [] } }, at)).toEqual([at]);
});

test("a position before every start has none", () => {
  expect(viewStartFor(idle, { seq: 5, epoch: 1 })).toBeUndefined();
  expect(viewStartFor({ ...idle, viewStarts: [{ seq: 6, epoch: 2 }] }, { seq: 5, epoch: 1 })).toBeUndefined();
});
