// Installs Bun and Deno, in which some tests run: `npm run runtimes`, or `npm run runtimes -- deno`.
// It installs the npm packages `bun` and `deno` into `.tmp/runtimes/`, and changes nothing else.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRuntimes, installDirectory } from "./find-runtimes.mjs";

const wanted = process.argv.slice(2);
for (const { name, major, version } of findRuntimes()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (version !== undefined) console.log(`${name} ${version} is already here.`);
  else if (!install(name, major)) process.exitCode = 1;
}

function install(name, major) {
  mkdirSync(installDirectory, { recursive: true });
  const manifest = join(installDirectory, "package.json");
  // Without a manifest, npm would install into the workspace. With an empty one, it would remove the other runtime.
  if (!existsSync(manifest)) writeFileSync(manifest, '{"private":true}');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${major}`];
  const { status } = spawnSync("npm", args, {
    cwd: installDirectory,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const found = findRuntimes().find((runtime) => runtime.name === name);
  if (status === 0 && found?.version !== undefined) {
    console.log(`Installed ${name} ${found.version}.`);
    return true;
  }
  console.error(`${name} could not be installed. If it is on this machine, add its folder to ACP_KIT_RUNTIMES.`);
  return false;
}
