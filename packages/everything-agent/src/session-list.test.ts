import { isRpcError } from "@acp-kit/agent";
import { expect, it } from "vitest";
import { pageOf } from "./session-list.js";
import { type EverythingStore, memoryEverythingStore } from "./session-store.js";

function storeOf(...sessions: readonly [sessionId: string, minute: number, cwd: string][]): EverythingStore {
  const store = memoryEverythingStore();
  for (const [sessionId, minute, cwd] of sessions) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    store.append(sessionId, { type: "session", at, cwd, additionalDirectories: [] });
  }
  return store;
}

function allPages(store: EverythingStore, pageSize: number, between: () => void = () => {}): string[][] {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const page = pageOf(store, { ...(cursor != null && { cursor }) }, pageSize);
    pages.push(page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
    between();
  } while (cursor != null);
  return pages;
}

it("lists each session once, page by page, the most recently used first", () => {
  const store = storeOf(["a", 1, "/"], ["b", 5, "/"], ["c", 3, "/"], ["d", 3, "/"], ["e", 2, "/"]);
  expect(allPages(store, 2)).toEqual([["b", "c"], ["d", "e"], ["a"]]);
  expect(allPages(store, 5)).toEqual([["b", "c", "d", "e", "a"]]);
  expect(allPages(memoryEverythingStore(), 5)).toEqual([[]]);
});

it("lists each remaining session once when sessions are added and deleted between two pages", () => {
  const store = storeOf(["a", 1, "/"], ["b", 2, "/"], ["c", 3, "/"], ["d", 4, "/"]);
  const pages = allPages(store, 2, () => {
    store.delete("c");
    store.append("new", { type: "session", at: "2027-01-01T00:00:00.000Z", cwd: "/", additionalDirectories: [] });
  });
  expect(pages).toEqual([
    ["d", "c"],
    ["b", "a"],
  ]);
});

it("lists only the sessions of a folder if the request names one", () => {
  const store = storeOf(["a", 1, "/one"], ["b", 2, "/two"]);
  expect(pageOf(store, { cwd: "/one" }, 10).sessions.map(({ sessionId }) => sessionId)).toEqual(["a"]);
});

it.each(["", "nonsense", btoa("[1,2]"), "%"])("refuses the cursor %j", (cursor) => {
  try {
    pageOf(memoryEverythingStore(), { cursor }, 10);
    expect.unreachable();
  } catch (error) {
    expect(isRpcError(error) && error.code).toBe(-32602);
  }
});
