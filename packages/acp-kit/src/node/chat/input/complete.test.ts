import { expect, it } from "vitest";
import { type CompletionSources, commonPrefix, complete } from "./complete.js";

const sources: CompletionSources = {
  commands: () => [{ text: "help" }, { text: "model" }, { text: "plan", hint: "the agent's" }],
  argumentsOf: (command, words) =>
    command === "model" && words.length === 0 ? [{ text: "opus" }, { text: "haiku" }] : [],
  files: (prefix) =>
    ["src/", "src/a b.ts", "src/a.ts"].filter((path) => path.startsWith(prefix)).map((text) => ({ text })),
};
const texts = (text: string): string[] | undefined =>
  complete(text, text.length, sources)?.candidates.map((each) => each.text);

it.each([
  ["/", ["/help", "/model", "/plan"]],
  ["/PL", ["/plan"]],
  ["/model ", ["opus", "haiku"]],
  ["/model o", ["opus"]],
  ["/model opus ", undefined],
  ["not /he", undefined],
  ["look at @src/a", ['@"src/a b.ts"', "@src/a.ts"]],
  ['look at @"src/a ', ['@"src/a b.ts"']],
  ["me@src", undefined],
])("%j can become %j", (text, expected) => expect(texts(text)).toEqual(expected));

it("completes the text before the cursor, and replaces only that text", () => {
  expect(complete("see @src/a and more", 10, sources)).toMatchObject({ start: 4, end: 10 });
});

it("inserts a common prefix of whole characters", () => {
  const candidates = ["@a😀.md", "@a😁.md"].map((text) => ({ text }));
  expect(commonPrefix(candidates)).toBe("@a");
  expect(commonPrefix([{ text: "@a😀" }, { text: "@a😀b" }])).toBe("@a😀");
});
