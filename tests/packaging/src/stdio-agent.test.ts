import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { house } from "@acp-kit/workspace-tests/house";
import { expect, inject, it } from "vitest";
import { node, run } from "./commands.js";
import { allEntries } from "./entries.js";
import { load } from "./exports-of.js";

// `npm i @acp-kit/agent @acp-kit/stdio`, and nothing else.
const { agent: home } = inject("homes");
const require = createRequire(import.meta.url);

const installed = readdirSync(join(home, "node_modules", "@acp-kit")).map((name) => `@acp-kit/${name}`);
const optional = (name: string) => Object.values(house[name]?.optional ?? {}).flat();
const entries = allEntries.filter(
  ({ packageName, specifier }) =>
    installed.includes(packageName) && !optional(packageName).includes(`.${specifier.slice(packageName.length)}`),
);

it("brings what the protocol and the wire need, without the validators and the JSON files", () => {
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
    noEmit: true,
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const tsc = join(dirname(require.resolve("typescript-oldest/package.json")), "bin", "tsc");
  const { stdout, stderr } = await run(node(tsc, "--pretty", "false", "-p", directory), directory);
  expect(stdout + stderr).toBe("");
});

it("names the package to install where an entry needs an optional one", async () => {
  await expect(load(home, ["@acp-kit/protocol/strict"], "import")).rejects.toThrow("@acp-kit/schema");
});
