// Finds Bun and Deno. Tests run a client and a server in them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** The runtimes, and the major version of each with which the packages are tested. */
export const runtimes = { bun: 1, deno: 2 };

/** The folder into which `npm run runtimes` installs the runtimes. */
export const installDirectory = join(root, ".tmp", "runtimes");

/**
 * Returns `{ name, major, program, version }` for each runtime, without `program` if it isn't on this machine. It
 * searches `ACP_KIT_RUNTIMES` (folders, separated as in `PATH`), the folder of `npm run runtimes`, and `PATH`.
 */
export function findRuntimes(env = process.env) {
  const folders = [
    ...(env.ACP_KIT_RUNTIMES ?? "").split(delimiter),
    join(installDirectory, "node_modules", ".bin"),
    ...(env.PATH ?? "").split(delimiter),
  ].filter((folder) => folder !== "");
  return Object.entries(runtimes).map(([name, major]) => {
    for (const folder of folders) {
      const program = join(folder, process.platform === "win32" ? `${name}.exe` : name);
      const version = existsSync(program) ? versionOf(program) : undefined;
      if (version?.startsWith(`${major}.`)) return { name, major, program, version };
    }
    return { name, major };
  });
}

function versionOf(program) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}
