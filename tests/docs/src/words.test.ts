import { describe, expect, it } from "vitest";
import { documents } from "./documents.js";
import { bannedWords } from "./words.js";

/** Documents that are not rewritten yet, and the number of banned words that each may have. A number only gets smaller; a document without any leaves the list. */
const remaining: Readonly<Record<string, number>> = {
  "bench/notes.md": 7,
  "bench/report.md": 11,
  "docs/conformance-report.md": 15,
  "packages/acp-kit/README.md": 20,
  "packages/agent/README.md": 9,
  "packages/ai-sdk/README.md": 11,
  "packages/client/README.md": 25,
  "packages/conformance/README.md": 1,
  "packages/everything-agent/README.md": 14,
  "packages/jsonrpc/README.md": 10,
  "packages/protocol/README.md": 1,
  "packages/sessions/README.md": 8,
  "packages/stdio/README.md": 6,
  "packages/testing/README.md": 7,
  "packages/workspace/README.md": 11,
  "tools/schema-update/README.md": 13,
};

describe("has no banned word, or no more than before:", () => {
  it.each(documents().map(({ path, text }) => [path, text] as const))("%s", (path, text) => {
    const found = bannedWords(text);
    const list = found.map(({ line, word, instead }) => `${path}:${line} "${word}": write ${instead}`);
    expect(list.slice(remaining[path] ?? 0)).toEqual([]);
  });
});

it("lists only documents that have banned words", () => {
  const withWords = documents().filter(({ text }) => bannedWords(text).length > 0);
  expect(Object.keys(remaining)).toEqual(withWords.map(({ path }) => path).filter((path) => path in remaining));
});

describe("banned words", () => {
  it("are found with their line, and in any case", () => {
    expect(bannedWords("It is\nTold twice").map(({ line, word }) => [line, word])).toEqual([[2, "Told"]]);
  });

  it("are not looked for in code, targets of links and titles of tests", () => {
    expect(bannedWords("`told` [x](told.md) “is told”\n```ts\ntold\n```\n")).toEqual([]);
  });

  it("may be meant", () => {
    expect(bannedWords("She told it to nobody. <!-- meant: told, nobody -->")).toEqual([]);
    expect(bannedWords("She told it to nobody. <!-- meant: told -->").map(({ word }) => word)).toEqual(["nobody"]);
  });
});
