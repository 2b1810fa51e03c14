import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createScratch, type Result, type Scratch } from "./scratch.js";

// Installs a fake pnpm that writes its arguments to node_modules/ran and creates a node_modules in the project.
const npm = `
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("node_modules/pnpm/bin", { recursive: true });
const pnpm = \`const { mkdirSync, writeFileSync, existsSync } = require("node:fs");
if (existsSync("fail")) process.exit(7);
mkdirSync("node_modules", { recursive: true });
mkdirSync("packages/a/node_modules", { recursive: true });
writeFileSync("node_modules/ran", JSON.stringify({ args: process.argv.slice(2), cache: process.env.npm_config_cache }));\`;
writeFileSync("node_modules/pnpm/bin/pnpm.cjs", pnpm);
`;

interface Workspace extends Scratch {
  /** Runs the bootstrap and returns pnpm's arguments, if it was called. */
  bootstrap(env?: NodeJS.ProcessEnv): Result & { installed: boolean; cache: string };
}

function workspace(): Workspace {
  const scratch = createScratch();
  scratch.write("npm/package.json", '{ "type": "module" }');
  scratch.write("npm/npm-cli.js", npm);
  scratch.write("package.json", '{ "packageManager": "pnpm@10.0.0" }');
  scratch.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
  scratch.write("pnpm-lock.yaml", "lockfileVersion: '9.0'\n");
  scratch.write("packages/a/package.json", '{ "name": "a", "dependencies": { "b": "1" } }');
  const ran = join(scratch.directory, "node_modules", "ran");
  return {
    ...scratch,
    bootstrap(env = {}) {
      rmSync(ran, { force: true });
      const npm_execpath = join(scratch.directory, "npm", "npm-cli.js");
      const npm_config_cache = join(scratch.directory, "cache");
      const result = scratch.run("scripts/bootstrap.mjs", [], { npm_execpath, npm_config_cache, ...env });
      const call = existsSync(ran) ? JSON.parse(readFileSync(ran, "utf8")) : { cache: "" };
      return { ...result, installed: call.args?.[0] === "install", cache: call.cache };
    },
  };
}

it("installs only once", () => {
  using tree = workspace();
  expect(tree.bootstrap()).toMatchObject({ status: 0, installed: true });
  expect(tree.bootstrap()).toMatchObject({ status: 0, installed: false, output: "" });
});

it("installs again if the lock file, a setting or a folder's node_modules has changed", () => {
  using tree = workspace();
  tree.bootstrap();
  tree.write("pnpm-lock.yaml", "lockfileVersion: '9.0'\nimporters: {}\n");
  expect(tree.bootstrap().installed).toBe(true);
  tree.write("pnpm-workspace.yaml", "packages:\n  - packages/*\nhoist: false\n");
  expect(tree.bootstrap().installed).toBe(true);
  rmSync(join(tree.directory, "packages/a/node_modules"), { recursive: true });
  expect(tree.bootstrap().installed).toBe(true);
  expect(tree.bootstrap().installed).toBe(false);
});

it("fails if the install fails, and installs again the next time", () => {
  using tree = workspace();
  tree.write("fail", "");
  const failed = tree.bootstrap();
  expect(failed.status).toBe(1);
  expect(failed.errors).toContain("The workspace could not be installed: ");
  expect(failed.errors).toContain("(exit 7)");
  rmSync(join(tree.directory, "fail"));
  expect(tree.bootstrap()).toMatchObject({ status: 0, installed: true });
});

it("installs again if npm created node_modules, or if node_modules is incomplete", () => {
  using tree = workspace();
  tree.write("node_modules/.package-lock.json", "{}");
  tree.write("node_modules/.pnpm/lock.yaml", "lockfileVersion: '9.0'\n");
  mkdirSync(join(tree.directory, "packages/a/node_modules"));
  expect(tree.bootstrap().installed).toBe(true);
});

it("uses npm's cache", () => {
  using tree = workspace();
  expect(tree.bootstrap().cache).toBe(join(tree.directory, "cache"));
});

it("uses a separate cache if npm's cache is read-only", ({ skip }) => {
  const reason = process.platform === "win32" ? "Windows has no such permission" : "root may write anywhere";
  if (process.platform === "win32" || process.getuid?.() === 0) {
    console.log(`Not run: the read-only cache, because ${reason}.`);
    return skip(reason);
  }
  using tree = workspace();
  mkdirSync(join(tree.directory, "cache"));
  chmodSync(join(tree.directory, "cache"), 0o500);
  const { status, cache } = tree.bootstrap();
  expect(status).toBe(0);
  expect(cache).not.toBe(join(tree.directory, "cache"));
});

it("uses a separate cache if the folder of npm's cache can't be created", () => {
  using tree = workspace();
  tree.write("cache", "a file");
  const { status, cache } = tree.bootstrap();
  expect(status).toBe(0);
  expect(cache).not.toBe(join(tree.directory, "cache"));
});
