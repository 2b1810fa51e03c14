// Finds the Node versions that the packages support, other than the one that runs this.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** The majors that the packages are tested with; `engines` in their manifests names the oldest. */
export const supportedMajors = [20, 22, 24];

/** Where `npm run nodes` installs a major. */
export function installDirectory(major) {
  return join(root, ".tmp", "nodes", String(major));
}

/**
 * For each other supported major `{ major, program, version }`; without `program` where it isn't on this machine. A program is looked for in
 * `ACP_KIT_NODES` (programs or folders, separated as in `PATH`), where `npm run nodes` installs it, and in `PATH`.
 */
export function findNodes(env = process.env) {
  const current = Number(process.versions.node.split(".")[0]);
  const listed = (env.ACP_KIT_NODES ?? "").split(delimiter);
  const onPath = (env.PATH ?? "").split(delimiter);
  const versions = new Map(); // program → the version it reports, cached
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
