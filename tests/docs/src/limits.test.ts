import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";

interface Row {
  readonly option: string;
  readonly value: number;
  readonly file: string;
}

const rows = readFileSync(join(root, "docs/limits.md"), "utf8")
  .split("\n")
  .flatMap((line): Row[] => {
    const [, option, value, file] = /^\| `(\w+)` \| ([\d,]+) \| .* \| \[`[^`]+`\]\(\.\.\/(\S+)\) \|$/.exec(line) ?? [];
    if (option === undefined || value === undefined || file === undefined) return [];
    return [{ option, value: Number(value.replaceAll(",", "")), file }];
  });

/** The source text without its comments: defaults are numbers after the name of an option, or after a constant. */
const source = (file: string): string => readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

/** Returns the default of an option in a file: in an object of defaults, or of a parameter, or of its constant. */
function defaultIn(text: string, option: string): number | undefined {
  const inObject =
    new RegExp(`^  ${option}: ([\\d_]+),`, "m").exec(text) ?? new RegExp(`[ {]${option}: ([\\d_]+)`).exec(text);
  const constant = `${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const found =
    inObject ??
    new RegExp(`${option} = ([\\d_]+)`).exec(text) ??
    new RegExp(`const ${constant} = ([\\d_]+)`).exec(text);
  return found?.[1] === undefined ? undefined : Number(found[1].replaceAll("_", ""));
}

it.each(rows)("has the default of $option in $file: $value", ({ option, value, file }) => {
  expect(defaultIn(source(file), option)).toBe(value);
});

it("has every limit of the files that it names", () => {
  const files = [...new Set(rows.map(({ file }) => file))];
  for (const file of files) {
    const [defaults = ""] = /export const (?!fixed|all)\w+Defaults[^=]*= \{[^}]*\}/.exec(source(file)) ?? [];
    const names = [...defaults.matchAll(/(\w+): [\d_]+/g)].map(([, name]) => name);
    const listed = rows.filter((row) => row.file === file).map(({ option }) => option);
    expect(listed).toEqual(expect.arrayContaining(names));
  }
  expect(rows.length).toBeGreaterThan(35);
});

it("has at most 41 names: a limit with the meaning of another one has its name, and a limit that no user sets is a constant", () => {
  const names = new Set(rows.map(({ option }) => option));
  expect([...names].sort().slice(41)).toEqual([]);
});
