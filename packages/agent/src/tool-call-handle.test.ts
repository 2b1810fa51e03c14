import { checkV1Agent } from "@acp-kit/protocol/strict";
import type { ToolCallStatus } from "@acp-kit/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prompt, withSession } from "../test/connect.js";
import { ToolCallHandle, type ToolCallHost } from "./tool-call-handle.js";

const statuses: readonly ToolCallStatus[] = ["pending", "in_progress", "completed", "failed"];

/** A tool call without a turn, and the updates that it sends. */
function callOf({ strict = false } = {}): { call: ToolCallHandle; sent: unknown[]; reports: string[] } {
  const sent: unknown[] = [];
  const reports: string[] = [];
  const host: ToolCallHost = {
    detached: () => host,
    client: undefined as never,
    signal: undefined,
    channel: { strict, version: undefined },
    send: (update) => void sent.push(update),
    report: (message) => void reports.push(message),
  };
  return { call: new ToolCallHandle(host, { toolCallId: "c", title: "x", status: "pending" }), sent, reports };
}

describe("a tool call", () => {
  test("never moves back, whatever the changes", () => {
    const rank = (status: ToolCallStatus) => ["pending", "in_progress"].indexOf(status);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses)), (requested) => {
        const { call, sent } = callOf();
        for (const status of requested) void call.update({ status, title: status });
        const delivered = sent.flatMap((update) => (update as { status?: ToolCallStatus }).status ?? []);
        const moves = delivered.slice(1).map((status, index) => [delivered[index] as ToolCallStatus, status] as const);
        for (const [from, to] of moves) {
          const ended = rank(from) === -1;
          expect(ended ? to === from : rank(to) === -1 || rank(to) >= rank(from)).toBe(true);
        }
        expect(sent).toHaveLength(requested.length + 1); // the other members of an update are sent anyway
        expect(call.status).toBe(delivered.at(-1));
      }),
    );
  });

  test("is completed or failed by complete() and fail(), whatever status is in the change", () => {
    // A variable may have more members than it is taken for
    const change = { title: "x", status: "in_progress" as const };
    const [done, broken] = [callOf(), callOf()];
    void done.call.complete(change);
    void broken.call.fail(change);
    expect(done.sent.at(-1)).toMatchObject({ status: "completed" });
    expect(broken.sent.at(-1)).toMatchObject({ status: "failed" });
  });

  test("that moves back throws if checkOutgoing is on", () => {
    const { call } = callOf({ strict: true });
    void call.complete();
    expect(() => call.fail()).toThrow("Tool call c is completed and can't become failed");
    expect(() => call.start()).toThrow("Tool call c is completed and can't become in_progress");
  });

  test("that moves back is reported otherwise, and keeps its status", () => {
    const { call, sent, reports } = callOf();
    void call.complete();
    void call.fail({ rawOutput: 1 });
    expect(reports).toEqual(["Tool call c is completed and can't become failed"]);
    expect(sent.at(-1)).toEqual({ sessionUpdate: "tool_call_update", toolCallId: "c", rawOutput: 1 });
  });

  test("can be updated after its end", () => {
    const { call, sent, reports } = callOf({ strict: true });
    void call.complete();
    void call.add("one more line");
    expect(reports).toEqual([]);
    expect(sent.at(-1)).toMatchObject({ content: [{ type: "content", content: { text: "one more line" } }] });
  });

  test("has its state as last sent", () => {
    const { call } = callOf();
    void call.update({ title: "y", kind: "edit", locations: [{ path: "/a" }], name: "edit_file" });
    void call.add("a", { type: "diff", path: "/a", newText: "b" });
    expect([call.title, call.kind, call.name, call.locations]).toEqual(["y", "edit", "edit_file", [{ path: "/a" }]]);
    expect(call.content.map(({ type }) => type)).toEqual(["content", "diff"]);
  });

  test("permissions.agent-request: a permission request contains the call as last sent, within the size of a message", async () => {
    const requests: unknown[] = [];
    const { peer } = await withSession({
      client: (client) =>
        client.handle("session/request_permission", ({ toolCall }) => {
          requests.push(toolCall);
          return { outcome: { outcome: "cancelled" } };
        }),
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ toolCallId: "c", title: "Run", kind: "execute", rawInput: {} });
          await call.update({ rawInput: { command: "npm test" }, locations: [{ path: "/work" }] });
          await call.add("Runs the tests");
          await call.requestPermission();
          await call.requestPermission([], { title: "Run it" });
          await call.update({ rawInput: { command: "x".repeat(8_000_000) } });
          await call.requestPermission();
        },
      },
    });
    await prompt(peer);
    const seen = { toolCallId: "c", title: "Run", kind: "execute", locations: [{ path: "/work" }] };
    const described = {
      ...seen,
      content: [{ type: "content", content: { type: "text", text: "Runs the tests" } }],
      rawInput: { command: "npm test" },
    };
    expect(requests).toEqual([described, { ...described, title: "Run it" }, seen]);
  });

  test("is strict in an agent that checks what it sends", async () => {
    const errors: unknown[] = [];
    const { peer } = await withSession({
      checkOutgoing: checkV1Agent,
      definition: {
        prompt: async (turn) => {
          const call = turn.toolCall({ title: "x" });
          await call.complete();
          try {
            await call.start();
          } catch (error) {
            errors.push(error);
          }
        },
      },
    });
    await prompt(peer);
    expect(errors).toMatchObject([{ message: expect.stringContaining("can't become in_progress") }]);
  });
});
