import { describe, expect, it } from "vitest";
import { documents } from "./documents.js";
import { type Source, sources } from "./sources.js";
import { bannedWords, bannedWordsInSource } from "./words.js";

/**
 * The number of banned words that each document may have, until it is rewritten. A number only decreases; a document without banned words
 * leaves the list.
 */
const remaining: Readonly<Record<string, number>> = {};

describe("has no banned word, or at most the listed number:", () => {
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

/**
 * The number of banned words that each project's sources may have, until they are rewritten. A number only decreases; a project without
 * banned words leaves the list.
 */
const remainingInSources: Readonly<Record<string, number>> = {};

function byProject(): Map<string, Source[]> {
  const projects = new Map<string, Source[]>();
  for (const source of sources()) projects.set(source.project, [...(projects.get(source.project) ?? []), source]);
  return projects;
}

describe("has no banned word in comments, messages and titles of tests, or at most the listed number:", () => {
  const projects = byProject();

  it.each([...projects])("%s", (project, files) => {
    const list = files.flatMap(({ path, text }) =>
      bannedWordsInSource(text).map(({ line, word, instead }) => `${path}:${line} "${word}": write ${instead}`),
    );
    expect(list.slice(remainingInSources[project] ?? 0)).toEqual([]);
  });

  it("and lists only projects that exist", () => {
    expect(Object.keys(remainingInSources).filter((project) => !projects.has(project))).toEqual([]);
  });
});

describe("banned words", () => {
  it("are found with their line, and in any case", () => {
    expect(bannedWords("It is\nTold twice").map(({ line, word }) => [line, word])).toEqual([[2, "Told"]]);
  });

  it("are allowed in code, targets of links and titles of tests", () => {
    expect(bannedWords("`told` [x](told.md) “is told”\n```ts\ntold\n```\n")).toEqual([]);
  });

  it("are allowed if the line marks them as meant", () => {
    expect(bannedWords("She told it to nobody. <!-- meant: told, nobody -->")).toEqual([]);
    expect(bannedWords("She told it to nobody. <!-- meant: told -->").map(({ word }) => word)).toEqual(["nobody"]);
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

  it("of a source are allowed if a comment marks them as meant", () => {
    expect(bannedWordsInSource('say("nobody knows"); // (meant: nobody)')).toEqual([]);
    expect(bannedWordsInSource("/** Nobody was told. (meant: told) */").map(({ word }) => word)).toEqual(["Nobody"]);
  });
});
