import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { house } from "@acp-kit/workspace-tests/house";
import { beforeAll, expect, inject, it } from "vitest";
import { type Finished, node, succeed } from "./commands.js";
import { allEntries } from "./entries.js";

const { npm: home } = inject("homes");
const specifiers = allEntries.map(({ specifier }) => specifier);

const imports = `const names = {};
for (const specifier of ${JSON.stringify(specifiers)}) names[specifier] = Object.keys(await import(specifier)).sort();
process.stdout.write(JSON.stringify(names));`;

// "module.exports" is what require() adds for modules that say so; none of ours does.
const requires = `const names = {};
for (const specifier of ${JSON.stringify(specifiers)}) names[specifier] = Object.keys(require(specifier)).sort();
process.stdout.write(JSON.stringify(names));`;

let imported: Finished;
let required: Finished;

beforeAll(async () => {
  writeFileSync(join(home, "import.mjs"), imports);
  writeFileSync(join(home, "require.cjs"), requires);
  [imported, required] = await Promise.all([succeed(node("import.mjs"), home), succeed(node("require.cjs"), home)]);
});

it("imports every entry", () => {
  expect(Object.keys(JSON.parse(imported.stdout))).toEqual(specifiers);
});

it("requires every entry from CommonJS, with the same names", () => {
  const withoutMarker = (_: string, value: unknown) =>
    Array.isArray(value) ? value.filter((name) => name !== "__esModule") : value;
  expect(JSON.parse(required.stdout, withoutMarker)).toEqual(JSON.parse(imported.stdout));
});

it("warns of nothing, and leaves nothing running", () => {
  // Both processes have ended by themselves; otherwise the set-up would have timed out.
  expect([imported.stderr, required.stderr]).toEqual(["", ""]);
});

it("imports every entry where code from strings is forbidden", async () => {
  const strict = await succeed(node("--disallow-code-generation-from-strings", "import.mjs"), home);
  expect(strict.stdout).toEqual(imported.stdout);
});

const schemaFiles = house["@acp-kit/schema"]?.files ?? [];

it.each(schemaFiles)("finds the schema %s byte for byte", (subpath) => {
  const { resolve } = createRequire(join(home, "package.json"));
  const published = readFileSync(resolve(`@acp-kit/schema${subpath.slice(1)}`));
  expect(published.equals(readFileSync(join(root, "schema", subpath)))).toBe(true);
});
