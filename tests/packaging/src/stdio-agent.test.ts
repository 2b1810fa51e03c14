import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packageBoundaries } from "@acp-kit/workspace-tests/package-boundaries";
import { expect, inject, it } from "vitest";
import { node, run } from "./commands.js";
import { allEntries } from "./entries.js";
import { load } from "./exports-of.js";

// The project has the packages of `npm i @acp-kit/agent @acp-kit/stdio`, and no others.
const { agent: home } = inject("homes");
const require = createRequire(import.meta.url);

const installed = readdirSync(join(home, "node_modules", "@acp-kit")).map((name) => `@acp-kit/${name}`);
const optional = (name: string) => Object.values(packageBoundaries[name]?.optional ?? {}).flat();
const entries = allEntries.filter(
  ({ packageName, specifier }) =>
    installed.includes(packageName) && !optional(packageName).includes(`.${specifier.slice(packageName.length)}`),
);

it("installs only @acp-kit/agent and the packages that it needs, none of which has validators or JSON Schema files", () => {
  const names = ["agent", "jsonrpc", "protocol", "stdio", "types"].map((name) => `@acp-kit/${name}`);
  expect(installed.sort()).toEqual(names);
});

it("runs without the optional packages", async () => {
  const specifiers = entries.map(({ specifier }) => specifier);
  const { exports, written } = await load(home, specifiers, "import");
  expect(Object.keys(exports)).toEqual(specifiers);
  expect(written).toBe("");
});

it("type-checks without the optional packages, declarations included", async () => {
  const directory = join(home, "types");
  mkdirSync(directory);
  const imports = entries.map(({ specifier }, index) => `export * as entry${index} from ${JSON.stringify(specifier)};`);
  writeFileSync(join(directory, "consumer.ts"), imports.join("\n"));
  const compilerOptions = {
    lib: ["ES2022"],
    types: ["node"],
    typeRoots: [dirname(dirname(require.resolve("@types/node/package.json")))],
    target: "ES2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true, // the compiler's own declarations
    noEmit: true,
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const { stdout, stderr } = await run(node(tsc, "--pretty", "false", "-p", directory), directory);
  expect(stdout + stderr).toBe("");
});

it("throws an error that names the package to install if an entry needs an optional package", async () => {
  await expect(load(home, ["@acp-kit/protocol/strict"], "import")).rejects.toThrow("@acp-kit/schema");
});
