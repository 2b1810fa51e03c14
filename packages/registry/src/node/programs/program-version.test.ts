import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/fixtures.js";
import { programVersion } from "./program-version.js";

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
  mkdirSync(join(place.path, "dist"));
  writeFileSync(join(place.path, "dist", "agent.js"), "");
});
afterEach(() => place.remove());

const version = (manifest: object) => {
  writeFileSync(join(place.path, "package.json"), JSON.stringify({ version: "1.2.3", ...manifest }));
  return programVersion(join(place.path, "dist", "agent.js"));
};
const others = (count: number) => Array.from({ length: count }, (_, index) => [`p${index}`, `dist/${index}.js`]);

it.each([
  ["the only program", "dist/agent.js"],
  ["one of 100 programs", Object.fromEntries([...others(99), ["agent", "./dist/agent.js"]])],
  ["a program beside entries that are no texts", { a: 1, b: null, c: ["dist/agent.js"], agent: "dist/agent.js" }],
])("returns the version of the package if the program is %s", async (_, bin) => {
  expect(await version({ bin })).toBe("1.2.3");
});

it.each([
  ["another program", "dist/other.js"],
  ["not among the first 100 programs", Object.fromEntries([...others(100), ["agent", "dist/agent.js"]])],
  ["in a list", [["dist/agent.js"]]],
  ["no text", { agent: 1 }],
])("returns no version if the program is %s", async (_, bin) => {
  expect(await version({ bin })).toBeUndefined();
});

it("returns no version if `version` is not a string", async () => {
  expect(await version({ bin: "dist/agent.js", version: 1 })).toBeUndefined();
});
