import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { expect, it } from "vitest";
import { plainText } from "./plain-text.js";

it.each([
  ["", ""],
  ["one\ntwo\n", "one\ntwo"],
  ["\u001b[1;31mred\u001b[0m and \u001b[Kplain", "red and plain"],
  ["\u001b]0;title\u0007text\u001b]8;;https://a\u001b\\link", "textlink"],
  ["10 %\r50 %\r100 %\r\ndone\r", "100 %\ndone"],
  ["a\u0000\u0008b\tc\u009b", "ab\tc"],
  ["cut \u001b[12", "cut "],
  ["cut \u001b", "cut "],
  ["\u001b\u001b[0mx", "x"],
])("shows %j as %j", (output, shown) => {
  expect(plainText(output)).toBe(shown);
});

it.each(["\u001b]", "\u001b[", "\r", "\u001b]0;a"])("takes linear time for an output of %j", async (part) => {
  expect(plainText(part.repeat(500_000)).length).toBeLessThan(1_000_000);
  expect(await growthOf((size) => plainText(part.repeat(size)))).toBeLessThan(LINEAR);
});
