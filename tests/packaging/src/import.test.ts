import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { beforeAll, expect, inject, it } from "vitest";
import { allEntries } from "./entries.js";
import { type Loaded, load } from "./exports-of.js";

const { npm: home } = inject("homes");
const specifiers = allEntries.map(({ specifier }) => specifier);

let imported: Loaded;
beforeAll(async () => {
  imported = await load(home, specifiers, "import", ["--disallow-code-generation-from-strings"]);
});

it("imports every entry without output, and without code generation from strings", () => {
  expect(Object.keys(imported.exports)).toEqual(specifiers);
  expect(imported.written).toBe("");
});

it("loads every entry with require() without output, with the same exports", async () => {
  const { exports, written } = await load(home, specifiers, "require");
  expect(exports).toEqual(imported.exports);
  expect(written).toBe("");
});

const schemaFiles = packageBoundaries["@acp-kit/schema"]?.files ?? [];

it.each(schemaFiles)("exports the schema file %s with its original bytes", (subpath) => {
  const { resolve } = createRequire(join(home, "package.json"));
  const published = readFileSync(resolve(`@acp-kit/schema${subpath.slice(1)}`));
  expect(published.equals(readFileSync(join(root, "schema", subpath)))).toBe(true);
});
