import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { AnnouncedCalls, fillIn } from "./announced-calls.js";

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

  test.each([[{}], [null], [[]], [""]])(
    "permissions.known-input: keeps its input if an update repeats it as %j",
    (rawInput) => {
      const calls = new AnnouncedCalls();
      sent(calls, "a", { rawInput: { command: "ls" } });
      sent(calls, "a", { rawInput });
      expect(calls.get("a")?.rawInput).toEqual({ command: "ls" });
    },
  );

  test("permissions.known-input: completes a request, also one with empty members", () => {
    const known = { toolCallId: "a", title: "Run", rawInput: { command: "ls" }, locations: [{ path: "/a" }] };
    const empty: IncomingToolCallUpdate = {
      ...{ toolCallId: "a", title: "", kind: "execute" },
      ...{ rawInput: {}, locations: [], content: null },
    };
    expect(fillIn(empty, known)).toEqual({ ...known, kind: "execute" });
    expect(fillIn({ toolCallId: "a", rawInput: { command: "rm" } }, known).rawInput).toEqual({ command: "rm" });
  });

  test("permissions.known-input: gets no input from a call of an earlier turn with the same id", () => {
    const calls = new AnnouncedCalls();
    const announced = { sessionUpdate: "tool_call", title: "Bash" };
    sent(calls, "call_0", { ...announced, rawInput: { command: "ls" } });
    sent(calls, "call_0", announced); // some agents announce a call twice
    expect(calls.get("call_0")?.rawInput).toEqual({ command: "ls" });
    calls.endTurn();
    sent(calls, "call_0", announced);
    expect(calls.get("call_0")?.rawInput).toBeUndefined();
  });
});
