import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openRegistryDefaults } from "./catalog/open-registry.js";
import { installDefaults } from "./install/install-options.js";
import { endsCancelledTurns } from "./readme.examples.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");

it("the README names every limit, with its default", () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| +([\d,]+) +\|/gm)].map(([, name = "", number = ""]) => [
    name,
    Number(number.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(rows)).toEqual({ ...openRegistryDefaults, ...installDefaults });
});

it("the README names every code of an error", () => {
  const codes = [...read("./errors.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code = ""]) => code);
  expect(codes).toHaveLength(14);
  for (const code of codes) expect(readme).toContain(`\`${code}\``);
});

it("an agent that was never measured has no quirks", () => {
  expect(endsCancelledTurns("no-such-agent", "1.0.0")).toBeUndefined();
});
