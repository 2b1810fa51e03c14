// Finds Bun and Deno, in which the tests run a client and a server.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** The runtimes, and the majors that the packages are tested with. */
export const runtimes = { bun: 1, deno: 2 };

/** Where `npm run runtimes` installs them. */
export const installDirectory = join(root, ".tmp", "runtimes");

/**
 * For each runtime `{ name, major, program, version }`; without `program` where it isn't on this machine. A program is looked for in
 * `ACP_KIT_RUNTIMES` (folders, separated as in `PATH`), where `npm run runtimes` installs it, and in `PATH`.
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
