import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { expect, inject, it } from "vitest";
import { allEntries } from "./entries.js";
import { load } from "./exports-of.js";

const { npm: home } = inject("homes");
const specifiers = allEntries.map(({ specifier }) => specifier);

it("imports every entry without output", async () => {
  const { exports, written } = await load(home, specifiers, "import");
  expect(Object.keys(exports)).toEqual(specifiers);
  expect(written).toBe("");
});

it("loads every entry with require() without output, with the same exports", async () => {
  const { exports, written } = await load(home, specifiers, "require");
  expect(exports).toEqual((await load(home, specifiers, "import")).exports);
  expect(written).toBe("");
});

it("imports every entry without code generation from strings", async () => {
  const { exports } = await load(home, specifiers, "import", ["--disallow-code-generation-from-strings"]);
  expect(Object.keys(exports)).toEqual(specifiers);
});

const schemaFiles = packageBoundaries["@acp-kit/schema"]?.files ?? [];

it.each(schemaFiles)("exports the schema file %s with its original bytes", (subpath) => {
  const { resolve } = createRequire(join(home, "package.json"));
  const published = readFileSync(resolve(`@acp-kit/schema${subpath.slice(1)}`));
  expect(published.equals(readFileSync(join(root, "schema", subpath)))).toBe(true);
});
