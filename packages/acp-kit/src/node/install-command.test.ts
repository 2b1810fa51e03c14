import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installCommand } from "./install-command.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acp-kit-install-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it.each([
  ["a project", ["node_modules", "acp-kit"], true, "npm install @acp-kit/inspector"],
  [
    "a project of pnpm",
    ["node_modules", ".pnpm", "acp-kit@1.0.0", "node_modules", "acp-kit"],
    true,
    "npm install @acp-kit/inspector",
  ],
  ["the global folder", ["lib", "node_modules", "acp-kit"], false, "npm install --global @acp-kit/inspector"],
  [
    "the cache of npx",
    ["_npx", "1a2b", "node_modules", "acp-kit"],
    true,
    "npm install --global acp-kit @acp-kit/inspector",
  ],
])("in %s, names the command after which acp-kit finds the package", (_, path, hasManifest, command) => {
  const folder = join(home, ...path);
  const above = folder.slice(0, folder.indexOf("node_modules"));
  mkdirSync(folder, { recursive: true });
  if (hasManifest) writeFileSync(join(above, "package.json"), "{}");
  expect(installCommand("@acp-kit/inspector", folder)).toBe(command);
});
