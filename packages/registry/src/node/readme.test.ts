import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { registrySnapshot } from "./catalog/snapshot.js";
import { endsCancelledTurns } from "./readme.examples.js";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../../README.md");

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
