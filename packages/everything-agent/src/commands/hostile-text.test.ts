import { describe, expect, test } from "vitest";
import { commandOf } from "../play.js";
import { titleOf } from "../play-turn.js";
import { allCommands } from "./index.js";
import { partOf } from "./read.js";
import { wordsOf } from "./words-of.js";

describe("a part of a file", () => {
  test.each([
    ["a.ts", { name: "a.ts" }],
    ["my file.ts", { name: "my file.ts" }],
    ["a.ts 3", { name: "a.ts", line: "3" }],
    ["my file.ts  3  20", { name: "my file.ts", line: "3", limit: "20" }],
    ["v 2 x 3", { name: "v 2 x", line: "3" }],
    ["", { name: "" }],
  ])("%j", (args, part) => {
    expect(partOf(args)).toEqual(part);
  });
});

// A quadratic algorithm would need minutes for each of these texts.
const size = 2_000_000;
const spaces = " ".repeat(size);

describe("a prompt is parsed in linear time", () => {
  test.each([
    ["spaces", spaces],
    ["spaces between words", `a${spaces}b`],
    ["spaces behind a command", `/read${spaces}x`],
    ["a long word", "a".repeat(size)],
    ["quotes", `"'`.repeat(size)],
    ["an open quote", `"${"a ".repeat(size)}`],
    ["numbers", "1 ".repeat(size)],
    ["digits", `a ${"1".repeat(size)}x`],
    ["lines", "\n".repeat(size)],
  ])("hostile.linear-text: %s", (_, text) => {
    const { command, args } = commandOf(text, allCommands);
    expect(allCommands).toContain(command);
    expect(args.length).toBeLessThanOrEqual(text.length);
    expect(partOf(text).name.length).toBeLessThanOrEqual(text.length);
    expect(wordsOf(text).join("").length).toBeLessThanOrEqual(text.length);
    expect(titleOf(text).length).toBeLessThanOrEqual(60);
  });
});
