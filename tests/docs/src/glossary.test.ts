import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { entries, packages, root } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";

/** A row: the term, its meaning, its types. */
const rows = readFileSync(join(root, "docs/glossary.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (term|---)/.test(line))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** Returns the source of each entry point, by its import specifier. */
const sources = new Map(
  packages().flatMap(({ name, directory }) =>
    entries(directory).map(({ subpath, source }) => [posix.join(name, subpath), join(directory, source)] as const),
  ),
);

it("has a term, one or two sentences and its types in each row", () => {
  const terms = rows.map(([term]) => term);
  expect(terms).toEqual([...new Set(terms)]);
  for (const row of rows) {
    expect(row, row[0]).toHaveLength(3);
    expect(row[1], row[0]).toMatch(/\.$/);
  }
});

it("names only exported types", () => {
  const named = rows.flatMap(([, , types = ""]) =>
    [...types.matchAll(/((?:`\w+`(?: and )?)+) of `([^`]+)`/g)].flatMap(([, names = "", entry = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ name, entry })),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name, entry }) => !exportsOf(entry).includes(name))).toEqual([]);
});

/** Returns the text of an entry, with the text of the files from which it exports everything. */
function exportsOf(entry: string): string[] {
  const path = sources.get(entry);
  return path === undefined ? [] : namesOf(path);
}

function namesOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const own = [...text.matchAll(/^export (?:declare )?(?:type|interface|class|const|function) (\w+)/gm)];
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) => [
    ...list.matchAll(/(\w+)(?=\s*(?:,|$))/g),
  ]);
  const others = [...text.matchAll(/^export (?:type )?\* from "(\.[^"]+)\.js"/gm)];
  return [
    ...[...own, ...lists].map(([, name = ""]) => name),
    ...others.flatMap(([, from = ""]) => namesOf(join(path, "..", `${from}.ts`))),
  ];
}
