// Installs the other Node versions that the packages support, for `npm test -- nodes`: `npm run nodes`, or
// `npm run nodes -- 24`. It installs the npm package `node` into `.tmp/nodes/`, and changes nothing else.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNodes, installDirectory } from "./find-nodes.mjs";

const wanted = process.argv.slice(2).map(Number);
for (const { major, version } of findNodes()) {
  if (wanted.length > 0 && !wanted.includes(major)) continue;
  if (version !== undefined) console.log(`Node ${version} is already here.`);
  else if (!install(major)) process.exitCode = 1;
}

function install(major) {
  const directory = installDirectory(major);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{"private":true}'); // otherwise npm installs into the workspace
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${major}`];
  const { status } = spawnSync("npm", args, { cwd: directory, stdio: "inherit", shell: process.platform === "win32" });
  const found = findNodes().find((node) => node.major === major);
  if (status === 0 && found?.version !== undefined) {
    console.log(`Installed Node ${found.version}.`);
    return true;
  }
  console.error(`Node ${major} could not be installed. If it is on this machine, add its folder to ACP_KIT_NODES.`);
  return false;
}
