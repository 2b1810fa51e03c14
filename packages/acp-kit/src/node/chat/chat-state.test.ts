import { expect, it } from "vitest";
import { type ChatEvent, type ChatState, nextState, startingState } from "./chat-state.js";

const after = (...events: readonly ChatEvent[]): ChatState => events.reduce(nextState, startingState);
const [started, began, ended] = [
  { type: "started" },
  { type: "turn_began", at: 5 },
  { type: "turn_ended" },
] as const satisfies ChatEvent[];

it("is idle before and after each turn", () => {
  expect(after(started)).toEqual({ kind: "idle", warned: false });
  expect(after(started, began)).toEqual({ kind: "running", since: 5, warned: false });
  expect(after(started, began, { type: "cancelled" })).toMatchObject({ kind: "cancelling", since: 5 });
  expect(after(started, began, { type: "cancelled" }, ended)).toEqual({ kind: "idle", warned: false });
});

it("cancels the turn at the first interrupt, and quits at the second", () => {
  expect(after(started, began, { type: "interrupted" })).toMatchObject({ kind: "cancelling", warned: true });
  expect(after(started, began, { type: "interrupted" }, { type: "interrupted" })).toEqual({ kind: "left" });
  expect(after(started, { type: "interrupted" }, { type: "entered" })).toEqual({ kind: "idle", warned: false });
  expect(after({ type: "interrupted" }, { type: "interrupted" })).toEqual({ kind: "left" });
});

it("reports a lost agent as lost until another session is open", () => {
  expect(after(started, began, { type: "agent_lost" })).toMatchObject({ kind: "lost" });
  expect(after(started, began, { type: "agent_lost" }, ended, { type: "entered" })).toMatchObject({ kind: "lost" });
  expect(after(started, began, { type: "agent_lost" }, { type: "session_opened" })).toMatchObject({ kind: "idle" });
});

it("does not change its state after quitting", () => {
  expect(after(started, { type: "left" }, began)).toEqual({ kind: "left" });
});
