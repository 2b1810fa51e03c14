import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_AGE_MS } from "./catalog/open-registry.js";
import { registrySnapshot } from "./catalog/snapshot.js";
import { installDefaults } from "./install/install-options.js";
import { endsCancelledTurns } from "./readme.examples.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");

it("the README lists every limit with its default", () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| +([\d,]+) +\|/gm)].map(([, name = "", number = ""]) => [
    name,
    Number(number.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(rows)).toEqual({ maxAgeMs: MAX_AGE_MS, ...installDefaults });
});

it("the README lists every error code", () => {
  const codes = [...read("./errors.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code = ""]) => code);
  expect(codes).toHaveLength(14);
  for (const code of codes) expect(readme).toContain(`\`${code}\``);
});

it("the README states the date of the snapshot, and whether it was fetched", () => {
  expect(readme).toContain(`The snapshot in this package is of ${registrySnapshot.takenOn}.`);
  expect(readme.includes("was composed from")).toBe(registrySnapshot.source.startsWith("Composed, not fetched"));
});

it("the source of the snapshot, which command lines print, names no command of this repository", () => {
  expect(registrySnapshot.source).not.toMatch(/pnpm/);
});

it("the quirks of an agent that was never measured are undefined", () => {
  expect(endsCancelledTurns("no-such-agent", "1.0.0")).toBeUndefined();
});
