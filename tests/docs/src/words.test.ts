import { describe, expect, it } from "vitest";
import { documents } from "./documents.js";
import { type Source, sources } from "./sources.js";
import { type BannedWord, bannedWords, bannedWordsInSource } from "./words.js";

describe("has no banned word:", () => {
  it.each(documents().map(({ path, text }) => [path, text] as const))("%s", (path, text) => {
    expect(bannedWords(text).map((found) => sentenceOf(path, found))).toEqual([]);
  });
});

describe("has no banned word in comments, messages and titles of tests:", () => {
  const projects = new Map<string, Source[]>();
  for (const source of sources()) projects.set(source.project, [...(projects.get(source.project) ?? []), source]);

  it.each([...projects])("%s", (_project, files) => {
    const found = files
      .filter(({ path }) => !/tests\/docs\/src\/words(?:\.test)?\.ts$/.test(path)) // the list, and its examples
      .flatMap(({ path, text }) => bannedWordsInSource(text).map((word) => sentenceOf(path, word)));
    expect(found).toEqual([]);
  });
});

function sentenceOf(path: string, { line, word, instead }: BannedWord): string {
  return `${path}:${line} "${word}": write ${instead}`;
}

describe("banned words", () => {
  it("are found with their line, and in any case", () => {
    expect(bannedWords("It is\nTold twice").map(({ line, word }) => [line, word])).toEqual([[2, "Told"]]);
  });

  it("are allowed in code, targets of links and titles of tests", () => {
    expect(bannedWords("`told` [x](told.md) “is told”\n```ts\ntold\n```\n")).toEqual([]);
  });

  it("of a source are found in comments, TSDoc, messages and templates", () => {
    const source = [
      "/** Told. */",
      "const a = 1; // heard",
      'throw new Error("somebody left");',
      `\`the \${a} was told \${a} nobody else\`;`,
    ].join("\n");
    expect(bannedWordsInSource(source).map(({ line, word }) => [line, word])).toEqual([
      [1, "Told"],
      [2, "heard"],
      [3, "somebody"],
      [4, "told"],
      [4, "nobody"],
    ]);
  });

  it("of a test are found in titles, but not in data", () => {
    const source = ["it('is told', () => {", "  prompt('they told me nothing');", "});"].join("\n");
    expect(bannedWordsInSource(source).map(({ line }) => line)).toEqual([1]);
  });

  it("of a source are allowed in names, ids and code", () => {
    const source = ["const told = /told|heard/; // `told`, {@link told}", 'report("skipped-and-told", "told");'].join(
      "\n",
    );
    expect(bannedWordsInSource(source)).toEqual([]);
  });
});
