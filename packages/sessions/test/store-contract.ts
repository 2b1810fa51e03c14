import type { SessionUpdate } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { LeaseLostError } from "../src/errors.js";
import type { LogEntry } from "../src/log-entry.js";
import type { OwnedSessions, SessionStore, StoreLimits } from "../src/session-store.js";

/** Creates a store; its resources are removed when the test is over. */
export type MakeStore = (options: { readonly limits?: StoreLimits; readonly now?: () => number }) => SessionStore;

export const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});
export const said = (text: string): LogEntry => ({ type: "update", update: chunk(text) });
export const prompted = (text: string): LogEntry => ({ type: "prompt", prompt: [{ type: "text", text }] });
const ended: LogEntry = { type: "end", stopReason: "end_turn" };

const make = (sessions: OwnedSessions, sessionId: string, cwd = "/work") =>
  sessions.create({ sessionId, cwd, additionalDirectories: [] });
const textsOf = async (sessions: OwnedSessions, sessionId: string, after?: number) =>
  (await sessions.read(sessionId, after)).map(({ entry }) =>
    entry.type === "update" ? (entry.update as { content: { text: string } }).content.text : entry.type,
  );
const idsOf = async (sessions: OwnedSessions) =>
  (await sessions.list({ limit: 100 })).sessions.map(({ sessionId }) => sessionId);

/** The contract of every store. */
export function describeStore(name: string, makeStore: MakeStore): void {
  describe(`${name}: a session log`, () => {
    test("contains the written entries, in order, and can be read from a position", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      const log = await sessions.open("s");
      for (const entry of [prompted("go"), said("a"), said("b"), ended]) await log.append(entry);
      expect(await textsOf(sessions, "s")).toEqual(["prompt", "a", "b", "end"]);
      const [, second] = await sessions.read("s");
      expect(await textsOf(sessions, "s", second?.seq)).toEqual(["b", "end"]);
    });

    test("numbers its entries as it reads them", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      const log = await sessions.open("s");
      const first = [await log.append(prompted("go")), await log.append(said("a"))];
      await log.release();
      const more = await (await sessions.open("s")).append(said("b"));
      expect((await sessions.read("s")).map(({ seq }) => seq)).toEqual([...first, more]);
    });

    test("contains the object as it was when it was written", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      const entry = {
        type: "update" as const,
        update: chunk("before") as { content: { text: string } } & SessionUpdate,
      };
      await (await sessions.open("s")).append(entry);
      entry.update.content.text = "after";
      expect(await textsOf(sessions, "s")).toEqual(["before"]);
    });

    test("is written by the process that opened it last: earlier holders can't write any more", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      const first = await sessions.open("s");
      const second = await sessions.open("s", { takeOver: true });
      expect(second.token).toBeGreaterThan(first.token);
      expect(() => first.append(said("late"))).toThrow(LeaseLostError);
      expect(() => first.setTitle("late")).toThrow(LeaseLostError);
      await first.release();
      await second.append(said("now"));
      expect(await textsOf(sessions, "s")).toEqual(["now"]);
    });

    test("can't be written once it is deleted, even when its id is reused", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      const log = await sessions.open("s");
      await sessions.delete("s");
      await make(sessions, "s");
      expect(() => log.append(said("late"))).toThrow(LeaseLostError);
      await sessions.open("s"); // with the number of the previous log
      expect(() => log.append(said("late"))).toThrow(LeaseLostError);
      expect(() => log.setTitle("late")).toThrow(LeaseLostError);
    });
  });

  describe(`${name}: sessions`, () => {
    test("LIST-13 are visible to their owner only: no other owner finds, lists, reads, opens or deletes them", async () => {
      const store = makeStore({});
      const [mine, theirs] = [store.owner("me"), store.owner("them")];
      await make(mine, "s");
      await (await mine.open("s")).append(said("secret"));
      expect(await theirs.find("s")).toBeUndefined();
      expect(await idsOf(theirs)).toEqual([]);
      expect(await theirs.read("s")).toEqual([]);
      expect(() => theirs.open("s")).toThrow(LeaseLostError);
      await theirs.delete("s");
      expect(await idsOf(mine)).toEqual(["s"]);
      expect(() => make(theirs, "s")).toThrow(TypeError);
    });

    test("show where they work, their title and when they were written to", async () => {
      let time = Date.parse("2026-01-01T00:00:00Z");
      const sessions = makeStore({ now: () => time }).owner("a");
      await sessions.create({ sessionId: "s", cwd: "/work", additionalDirectories: ["/more"] });
      const log = await sessions.open("s");
      time += 1_000;
      await log.setTitle("A title");
      time += 1_000;
      await log.append(said("x"));
      expect(await sessions.find("s")).toEqual({
        sessionId: "s",
        cwd: "/work",
        additionalDirectories: ["/more"],
        title: "A title",
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:02.000Z",
      });
    });

    test("LIST-04 LIST-14 are listed in pages, each once, even if entries or sessions are added meanwhile", async () => {
      const sessions = makeStore({}).owner("a");
      for (let i = 0; i < 7; i++) await make(sessions, `s${i}`, i % 2 === 0 ? "/even" : "/odd");
      const first = await sessions.list({ limit: 3 });
      await (await sessions.open("s0")).append(said("moves nothing"));
      await make(sessions, "new");
      const second = await sessions.list({ limit: 3, cursor: first.nextCursor ?? "" });
      const third = await sessions.list({ limit: 3, cursor: second.nextCursor ?? "" });
      const ids = [first, second, third].map((page) => page.sessions.map(({ sessionId }) => sessionId));
      expect(ids).toEqual([["s6", "s5", "s4"], ["s3", "s2", "s1"], ["s0"]]);
      expect(third.nextCursor).toBeUndefined();
      const even = await sessions.list({ limit: 10, cwd: "/even" });
      expect(even.sessions.map(({ sessionId }) => sessionId)).toEqual(["s6", "s4", "s2", "s0"]);
    });

    test("D10 keep an id distinct from every other, or refuse it", async () => {
      const store = makeStore({});
      const sessions = store.owner("a");
      const known = ["\ufffd", "a", "😀"];
      for (const id of known) await make(sessions, id);
      for (const id of ["\ud800", "\udc00", "a\0", "a\0b", "\ud83d"]) {
        expect(() => make(sessions, id)).toThrow(TypeError);
        expect(() => make(sessions, "new", id)).toThrow(TypeError);
        expect(() => sessions.create({ sessionId: "new", cwd: "/", additionalDirectories: [id] })).toThrow(TypeError);
        expect(() => store.owner(id)).toThrow(TypeError);
        expect(await sessions.find(id)).toBeUndefined();
        expect(await sessions.read(id)).toEqual([]);
        expect(() => sessions.open(id)).toThrow(LeaseLostError);
        await sessions.delete(id);
      }
      expect(await idsOf(sessions)).toEqual([...known].reverse());
    });

    test("keep a title as far as it is valid text", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      await (await sessions.open("s")).setTitle("a\0b \ud83d 😀");
      expect((await sessions.find("s"))?.title).toBe("a\ufffdb \ufffd 😀");
    });

    test.each([
      "",
      "p",
      "p-1",
      "pA",
      "x1",
      "p00",
      "{}",
      "p1\n",
      "p1\0",
      "p\ud800",
      `p${"z".repeat(2 ** 20)}`,
      "pzzzzzzzzzzz",
    ])("LIST-10 have no page at %.20j", (cursor) => {
      const sessions = makeStore({}).owner("a");
      expect(() => sessions.list({ limit: 3, cursor })).toThrow(RangeError);
    });

    test("DEL-03 DEL-04 no longer exist when deleted, and may be deleted again", async () => {
      const sessions = makeStore({}).owner("a");
      await make(sessions, "s");
      await (await sessions.open("s")).append(said("x"));
      await sessions.delete("s");
      await sessions.delete("s");
      expect(await idsOf(sessions)).toEqual([]);
      expect(await sessions.read("s")).toEqual([]);
    });
  });

  describe(`${name}: limits`, () => {
    test("drop the oldest turns of a long session, whole, and never the last", async () => {
      const sessions = makeStore({ limits: { maxSessionBytes: 1_000 } }).owner("a");
      await make(sessions, "s");
      const log = await sessions.open("s");
      for (let turn = 0; turn < 20; turn++) {
        for (const entry of [prompted(`${turn}`), said(`answer ${turn}`), ended]) await log.append(entry);
      }
      const entries = await sessions.read("s");
      expect(JSON.stringify(entries.map(({ entry }) => entry)).length).toBeLessThan(1_100);
      expect(entries[0]?.entry.type).toBe("prompt");
      expect(await textsOf(sessions, "s")).toContain("answer 19");
      await log.append(prompted("x".repeat(5_000)));
      await log.append(said("still here"));
      expect(await textsOf(sessions, "s")).toEqual(["prompt", "still here"]);
    });

    test("keep the last turn whole, with the prompts that were merged into it", async () => {
      const sessions = makeStore({ limits: { maxSessionBytes: 1_000 } }).owner("a");
      await make(sessions, "s");
      const log = await sessions.open("s");
      await log.append(prompted("earlier"));
      await log.append(prompted("long"));
      await log.append(said("x".repeat(900)));
      await log.append({ ...prompted("merged"), merged: true } as LogEntry);
      await log.append(said("y".repeat(900)));
      expect(await textsOf(sessions, "s")).toEqual(["prompt", "x".repeat(900), "prompt", "y".repeat(900)]);
    });

    test("B5 count bytes, not characters", async () => {
      for (const text of ["x".repeat(300), "é".repeat(150), "語".repeat(100), "😀".repeat(75)]) {
        const sessions = makeStore({ limits: { maxSessionBytes: 1_000 } }).owner("a");
        await make(sessions, "s");
        const log = await sessions.open("s");
        for (let turn = 0; turn < 3; turn++) await log.append(prompted(text)); // 352 bytes each
        expect(await textsOf(sessions, "s")).toHaveLength(2);
        // When the log is opened again, its old entries still count toward the limit.
        await log.release();
        await (await sessions.open("s")).append(prompted(text));
        expect(await textsOf(sessions, "s")).toHaveLength(2);
      }
    });

    test("remove the sessions written to longest ago, but none that is held", async () => {
      let time = 0;
      const store = makeStore({ limits: { maxSessions: 2 }, now: () => time++ });
      const sessions = store.owner("a");
      await make(sessions, "held");
      await sessions.open("held");
      await make(sessions, "old");
      await make(sessions, "new");
      expect(await idsOf(sessions)).toEqual(["new", "held"]);
      await make(store.owner("b"), "other");
      expect(await idsOf(sessions)).toEqual(["new", "held"]);
    });

    test("remove sessions that are too old", async () => {
      let time = 0;
      const store = makeStore({ limits: { maxAgeMs: 1_000 }, now: () => time });
      const sessions = store.owner("a");
      await make(sessions, "old");
      await make(sessions, "used");
      time = 900;
      const log = await sessions.open("used");
      await log.append(said("x"));
      await log.release();
      time = 1_500;
      await store.prune();
      expect(await idsOf(sessions)).toEqual(["used"]);
    });

    test("have no limit if it is Infinity or larger than any time, and are listed on a page of any length", async () => {
      for (const maxAgeMs of [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
        const limits = { maxAgeMs, maxSessions: Number.POSITIVE_INFINITY, maxSessionBytes: Number.POSITIVE_INFINITY };
        const sessions = makeStore({ limits }).owner("a");
        await make(sessions, "one");
        await make(sessions, "two");
        const page = await sessions.list({ limit: Number.POSITIVE_INFINITY });
        expect(page.sessions.map(({ sessionId }) => sessionId)).toEqual(["two", "one"]);
      }
    });

    test.each(["maxAgeMs", "maxSessions", "maxSessionBytes"])("can't have a limit %s that is NaN", async (name) => {
      expect(() => makeStore({ limits: { [name]: Number.NaN } })).toThrow(TypeError);
    });
  });
}
