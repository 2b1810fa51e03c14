import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EverythingLogEntry } from "../session-store.js";
import { fileLogin } from "./file-login.js";
import { fileStore } from "./file-store.js";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "everything-agent-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const first: EverythingLogEntry = {
  type: "session",
  at: "2026-01-01T00:00:00.000Z",
  cwd: "/",
  additionalDirectories: [],
};
const second: EverythingLogEntry = { type: "title", at: "2026-01-01T00:00:01.000Z", title: "two\u2028lines\n" };

it("keeps sessions for the next process", () => {
  const store = fileStore(join(directory, "new", "folder"));
  store.append("a", first);
  store.append("a", second);
  store.append("b", first);
  const next = fileStore(join(directory, "new", "folder"));
  expect([...next.sessionIds()].sort()).toEqual(["a", "b"]);
  expect(next.read("a")).toEqual([first, second]);
  next.delete("a");
  next.delete("a");
  expect(next.sessionIds()).toEqual(["b"]);
  expect(next.read("a")).toEqual([]);
});

it("skips a line that a crash cut off", () => {
  const store = fileStore(directory);
  store.append("a", first);
  appendFileSync(join(directory, "a.jsonl"), '{"type":"upd');
  expect(store.read("a")).toEqual([first]);
});

it("appends to a log whose last line a crash cut off", () => {
  fileStore(directory).append("a", first);
  appendFileSync(join(directory, "a.jsonl"), '{"type":"upd');
  const next = fileStore(directory);
  next.append("a", second);
  next.append("a", first);
  expect(next.read("a")).toEqual([first, second, first]);
});

it("skips a line that is JSON but no entry", () => {
  const store = fileStore(directory);
  store.append("a", first);
  appendFileSync(join(directory, "a.jsonl"), "null\n5\n");
  expect(store.read("a")).toEqual([first]);
});

it.each(["\ud800", "a".repeat(5_000)])("knows no session with an id that can't be a file name", (sessionId) => {
  const store = fileStore(directory);
  expect(store.read(sessionId)).toEqual([]);
  store.delete(sessionId);
});

it("lists no files of other programs", () => {
  const store = fileStore(directory);
  store.append("a", first);
  writeFileSync(join(directory, "100%.jsonl"), "");
  expect(store.sessionIds()).toEqual(["a"]);
});

it("writes only in its folder, whatever the id of the session", () => {
  const store = fileStore(directory);
  store.append("../../out", first);
  expect(readdirSync(directory)).toEqual(["..%2F..%2Fout.jsonl"]);
  expect(store.sessionIds()).toEqual(["../../out"]);
});

it("remembers a login for the next process", () => {
  expect(fileLogin(directory).isLoggedIn()).toBe(false);
  fileLogin(directory).setLoggedIn(true);
  expect(fileLogin(directory).isLoggedIn()).toBe(true);
  fileLogin(directory).setLoggedIn(false);
  expect(fileLogin(directory).isLoggedIn()).toBe(false);
});
