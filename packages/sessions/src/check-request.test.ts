import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connect, newSession, prompt } from "../test/connect.js";
import { checkRequest, requestLimits } from "./check-request.js";
import { memoryStore } from "./memory-store.js";
import { withSessions } from "./with-sessions.js";

const nested = (depth: number): unknown => {
  let value: unknown = "x";
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
};

const invalid = expect.objectContaining({ code: -32602 });

describe("a client's request to a store", () => {
  test("hostile.session-requests: is refused before a handler runs if it is too long, too deep or not text, and the error does not repeat it", async () => {
    let calls = 0;
    const definition = withSessions(
      {
        info: { name: "test", version: "1" },
        additionalDirectories: true,
        newSession: () => ({ sessionId: `s${calls++}` }),
        deleteSession: () => void calls++,
        prompt: async () => void calls++,
      },
      memoryStore(),
    );
    const connected = await connect(definition);
    const { peer } = connected;
    const sessionId = await newSession(connected);
    const before = calls;
    const path = { cwd: "/work", mcpServers: [] };
    const refused: Error[] = [];
    const note = (error: Error): void => void refused.push(error);
    for (const id of ["x".repeat(2 ** 20), "\ud800", "a\0"]) {
      const longPath = `/${id.repeat(id.length > 10 ? 1 : 5)}`;
      await peer.request("session/load", { ...path, sessionId: id }).catch(note);
      await peer.request("session/resume", { ...path, sessionId: id }).catch(note);
      await peer.request("session/delete", { sessionId: id }).catch(note);
      await peer.request("session/new", { ...path, cwd: longPath }).catch(note);
      await peer.request("session/new", { ...path, additionalDirectories: [longPath] }).catch(note);
      await peer.request("session/list", { cwd: longPath }).catch(note);
      await peer.request("session/list", { cursor: id }).catch(note);
    }
    const many = Array.from({ length: requestLimits.additionalDirectories + 1 }, () => "/a");
    await peer.request("session/new", { ...path, additionalDirectories: many }).catch(note);
    const deep = { type: "text" as const, text: "x", _meta: nested(400) as Record<string, unknown> };
    await peer.request("session/prompt", { sessionId, prompt: [deep] }).catch(note);
    expect(refused).toEqual(Array.from({ length: 23 }, () => invalid));
    for (const { message } of refused) expect(message.length).toBeLessThan(200);
    expect(calls).toBe(before);
    await expect(prompt(connected, sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
  });

  test("is accepted or refused with a short message that names the member, whatever it is", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 50 }),
      fc.integer({ min: 0, max: 40_000 }).map((length) => "x".repeat(length)),
      fc.constantFrom("\ud800", "\0"),
    );
    const request = fc.record(
      {
        sessionId: text,
        cwd: text,
        cursor: text,
        additionalDirectories: fc.array(text, { maxLength: 5 }),
        prompt: fc.integer({ min: 0, max: 5_000 }).map((depth) => [nested(depth)]),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, (one) => {
        try {
          checkRequest(one);
        } catch (error) {
          expect(error).toEqual(invalid);
          expect(Object.keys(one)).toContain((error as { data: { member: string } }).data.member);
          expect((error as Error).message.length).toBeLessThan(200);
        }
      }),
    );
  });
});
