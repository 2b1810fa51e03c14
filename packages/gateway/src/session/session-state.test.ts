import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../journal/journal-entry.js";
import { newState, nextState, titleOf } from "./session-state.js";

const fold = (...entries: readonly JournalEntry[]) =>
  entries.reduce(nextState, newState("a", { modes: { currentModeId: "ask" }, configOptions: [1] }, "replica"));
const update = (update: object): JournalEntry => ({
  type: "update",
  method: "session/update",
  params: { sessionId: "s", update },
});
const started = (key: string): JournalEntry => ({ type: "turn_started", at: 1, key, prompt: [] });
const ended = (key: string, result: unknown = { stopReason: "end_turn" }): JournalEntry => ({
  type: "turn_ended",
  key,
  outcome: { result },
});

describe("the state of a session", () => {
  test("stays the same object for entries that do not change it", () => {
    const state = fold();
    for (const entry of [
      update({ sessionUpdate: "plan" }),
      update({}),
      { ...update({}), method: "_x" } as JournalEntry,
    ])
      expect(nextState(state, entry)).toBe(state);
  });

  test("contains the running turn; the end of a cancelled queued prompt does not end it", () => {
    expect(fold(started("1")).turn).toBe("1");
    expect(fold(started("1"), ended("2")).turn).toBe("1");
    expect(fold(started("1"), ended("1"))).toMatchObject({ turn: null, turns: 1 });
  });

  test("keeps shortened outcomes of the last 64 turns", () => {
    const entries = Array.from({ length: 100 }, (_, i) =>
      ended(`${i}`, { stopReason: "end_turn", _meta: "x".repeat(5_000) }),
    );
    const state = fold(...entries);
    expect(state.ended.map(([key]) => key)).toEqual(Array.from({ length: 64 }, (_, i) => `${36 + i}`));
    expect(state.ended[0]?.[1]).toEqual({ result: { stopReason: "end_turn" } });
    expect(JSON.stringify(state).length).toBeLessThan(6_000);
  });

  test("contains the current modes and options, including changes by the agent", () => {
    expect(fold(update({ sessionUpdate: "current_mode_update", currentModeId: "code" })).setup.modes).toEqual({
      currentModeId: "code",
    });
    const changed = { sessionUpdate: "config_option_update", configOptions: [2] } as const;
    expect(fold({ type: "setting_changed", by: "c", update: changed }).setup.configOptions).toEqual([2]);
  });

  test("contains the open requests", () => {
    const opened = (id: string): JournalEntry => ({
      type: "request_opened",
      id,
      method: "m",
      params: { sessionId: "s" },
    });
    expect(fold(opened("1"), opened("2"), { type: "request_settled", id: "1", by: "client" }).requests).toEqual(["2"]);
  });
});

const prompted = (...texts: readonly string[]): JournalEntry => ({
  type: "turn_started",
  at: 1,
  key: "k",
  prompt: [null, { type: "image" }, ...texts.map((text) => ({ type: "text", text }))],
});

test("a title of the agent is a string, or null to remove it", () => {
  const info = (title: unknown) => titleOf(fold(), update({ sessionUpdate: "session_info_update", title }));
  expect([info("T"), info(null), info(undefined), info(7)]).toEqual(["T", null, undefined, undefined]);
});

test("without a title of the agent, the first prompt with text gives the title", () => {
  expect(titleOf(fold(), prompted())).toBeUndefined();
  expect(titleOf(fold(prompted()), prompted("\n  Fix the test \r\nof the parser", "b"))).toBe("Fix the test");
  expect(titleOf(fold(prompted("one")), prompted("two"))).toBeUndefined();
  for (const title of ["T", null]) {
    const ofAgent = fold(update({ sessionUpdate: "session_info_update", title }));
    expect(titleOf(ofAgent, prompted("one"))).toBeUndefined();
  }
});

test("a long first line is cut between characters", () => {
  const title = (text: string) => titleOf(fold(), prompted(text));
  expect(title("x".repeat(80))).toBe("x".repeat(80));
  expect(title("x".repeat(1_000_000))).toBe(`${"x".repeat(79)}…`);
  expect(title(`${"x".repeat(78)}😀😀`)).toBe(`${"x".repeat(78)}…`);
});
