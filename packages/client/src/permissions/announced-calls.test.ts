import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { AnnouncedCalls } from "./announced-calls.js";

const sent = (calls: AnnouncedCalls, toolCallId: string, more: object = {}): void =>
  calls.apply({ sessionUpdate: "tool_call_update", toolCallId, ...more } as unknown as IncomingToolCallUpdate);

describe("an announced call", () => {
  test("has the last value of each member; null and absent members change nothing", () => {
    const calls = new AnnouncedCalls();
    sent(calls, "a", { title: "Run", kind: "edit", rawInput: { x: 1 }, status: "pending" });
    sent(calls, "b", { title: "Other" });
    sent(calls, "a", { title: null, kind: undefined, status: "in_progress", locations: [{ path: "/a" }] });
    expect(calls.get("a")).toEqual({
      toolCallId: "a",
      title: "Run",
      kind: "edit",
      rawInput: { x: 1 },
      status: "in_progress",
      locations: [{ path: "/a" }],
    });
    expect(calls.get("b")).toEqual({ toolCallId: "b", title: "Other" });
  });

  test("has the members that the schema doesn't know, whatever they are called", () => {
    const calls = new AnnouncedCalls();
    sent(calls, "a", JSON.parse('{"vendor": 1, "__proto__": {"kind": "read"}, "empty": null}'));
    const call = calls.get("a");
    expect(call).toMatchObject({ toolCallId: "a", vendor: 1 });
    expect(call).not.toHaveProperty("empty");
    expect(call?.kind).toBeUndefined();
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype);
  });

  test("is removed when it has ended, and begins anew", () => {
    const calls = new AnnouncedCalls();
    sent(calls, "a", { title: "Run" });
    sent(calls, "a", { status: "completed" });
    expect(calls.get("a")).toBeUndefined();
    sent(calls, "a", { kind: "read" });
    expect(calls.get("a")).toEqual({ toolCallId: "a", kind: "read" });
  });

  test("is kept up to a limit, and the oldest is removed first", () => {
    const calls = new AnnouncedCalls(2);
    for (const id of ["a", "b", "a", "c", "c"]) sent(calls, id, { title: id });
    expect(["a", "b", "c"].map((id) => calls.get(id)?.title)).toEqual([undefined, "b", "c"]);
  });
});
