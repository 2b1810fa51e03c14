// Installs the workspace when it isn't installed, with nothing but Node and npm on the machine.
// pnpm comes from the npm registry; its version is the one in package.json#packageManager.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => (existsSync(root + path) ? readFileSync(root + path, "utf8") : "");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`acp-kit needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

// pnpm keeps a copy of the lock file it installed from; equal copies mean there is nothing to do.
const lock = read("pnpm-lock.yaml");
if (lock === "" || read("node_modules/.pnpm/lock.yaml") !== lock) {
  const pnpm = JSON.parse(read("package.json")).packageManager;
  const { status, error } = spawnSync("npx", ["--yes", pnpm, "install", "--frozen-lockfile"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) console.error(`Could not start npx: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
