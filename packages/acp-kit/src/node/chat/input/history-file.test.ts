import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPrivate, maxHistory, openHistory } from "./history-file.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acp-kit-history-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const env = () => ({ XDG_STATE_HOME: home });
const path = () => join(home, "acp-kit", "chat", "history.jsonl");

describe("the history on disk", () => {
  it("loads saved entries, also with several lines, from a file that only this user can read", () => {
    openHistory({ env: env(), redactor: undefined }).add("one\ntwo");
    expect(openHistory({ env: env(), redactor: undefined }).entries).toEqual(["one\ntwo"]);
    if (process.platform !== "win32") expect(statSync(path()).mode & 0o077).toBe(0);
  });

  it("contains no secrets", () => {
    openHistory({ env: env(), redactor: undefined }).add("use sk-ant-api03-abcdefghijklmnop1234 please");
    openHistory({ env: env(), redactor: undefined }).add(" not to be kept");
    openHistory({ env: env(), redactor: undefined }).add("kept");
    expect(readFileSync(path(), "utf8")).toBe('"kept"\n');
  });

  it("limits its size, and skips an incomplete line", () => {
    openHistory({ env: env(), redactor: undefined });
    const lines = Array.from({ length: maxHistory + 5 }, (_, index) => `"${index}"\n`);
    writeFileSync(path(), `${lines.join("")}"cut`);
    expect(openHistory({ env: env(), redactor: undefined }).entries).toHaveLength(maxHistory);
    expect(openHistory({ env: env(), redactor: undefined }).entries[0]).toBe("5");
  });

  it("is empty if the file can't be written", () => {
    const history = openHistory({ env: { XDG_STATE_HOME: "/dev/null/nowhere" }, redactor: undefined });
    history.add("lost");
    expect(history.entries).toEqual([]);
  });
});

it.each([
  ["ghp_abcdefghijklmnopqrstuvwxyz0123", true],
  ["PASSWORD=hunter2", true],
  ["Authorization: Bearer abcdefghijklmnop", true],
  ["https://me:secret@example.com", true],
  ["-----BEGIN RSA PRIVATE KEY-----", true],
  ["explain how tokens are counted", false],
  ["what is a password hash?", false],
])("%j is private: %s", (text, expected) => expect(isPrivate(text)).toBe(expected));
