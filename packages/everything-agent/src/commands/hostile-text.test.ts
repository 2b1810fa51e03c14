import { growthOf, LINEAR } from "@acp-kit/configs/growth";
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

describe("a prompt is parsed in linear time", () => {
  test.each([
    ["spaces", "", " ", ""],
    ["spaces between words", "a", " ", "b"],
    ["spaces behind a command", "/read", " ", "x"],
    ["a long word", "", "a", ""],
    ["quotes", "", `"'`, ""],
    ["an open quote", '"', "a ", ""],
    ["numbers", "", "1 ", ""],
    ["digits", "a ", "1", "x"],
    ["lines", "", "\n", ""],
  ])("hostile.linear-text: %s", async (_, begin, unit, end) => {
    const parse = (size: number): void => {
      const text = begin + unit.repeat(size) + end;
      const { command, args } = commandOf(text, allCommands);
      expect(allCommands).toContain(command);
      expect(args.length).toBeLessThanOrEqual(text.length);
      expect(partOf(text).name.length).toBeLessThanOrEqual(text.length);
      expect(wordsOf(text).join("").length).toBeLessThanOrEqual(text.length);
      expect(titleOf(text).length).toBeLessThanOrEqual(60);
    };
    expect(await growthOf(parse)).toBeLessThan(LINEAR);
  });
});
