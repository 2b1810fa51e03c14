// Finds the supported Node versions, except the version that runs this script.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/**
 * The major versions of Node with which the packages are tested. The oldest version is in `engines` of their manifests.
 */
export const supportedMajors = [20, 22, 24];

/** Returns the folder into which `npm run nodes` installs a major version. */
export function installDirectory(major) {
  return join(root, ".tmp", "nodes", String(major));
}

/**
 * Returns `{ major, program, version }` for each other supported major version, without `program` if it isn't on this
 * machine. It searches `ACP_KIT_NODES` (programs or folders, separated as in `PATH`), the folder of `npm run nodes`,
 * and `PATH`.
 */
export function findNodes(env = process.env) {
  const current = Number(process.versions.node.split(".")[0]);
  const listed = (env.ACP_KIT_NODES ?? "").split(delimiter);
  const onPath = (env.PATH ?? "").split(delimiter);
  const versions = new Map(); // the version of each program
  const find = (major) => {
    const folders = [...listed, join(installDirectory(major), "node_modules", "node", "bin"), ...onPath];
    for (const program of folders.flatMap(programsAt)) {
      if (!versions.has(program)) versions.set(program, versionOf(program));
      const version = versions.get(program);
      if (version?.startsWith(`${major}.`)) return { major, program, version };
    }
    return { major };
  };
  return supportedMajors.filter((major) => major !== current).map(find);
}

function programsAt(place) {
  if (place === "" || !existsSync(place)) return [];
  if (statSync(place).isFile()) return [place];
  const program = join(place, process.platform === "win32" ? "node.exe" : "node");
  return existsSync(program) ? [program] : [];
}

function versionOf(program) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}
