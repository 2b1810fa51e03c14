import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "./version.js";

/**
 * Returns the command that installs an optional package where this installation of `acp-kit` finds it. Node searches
 * beside `acp-kit`, so a global `acp-kit` does not find a package of the project in the working directory.
 *
 * @param folder the folder of the package `acp-kit`.
 */
export function installCommand(name: string, folder: string = fileURLToPath(packageFile("."))): string {
  const [home = "", inside] = folder.split(`${sep}node_modules${sep}`);
  // The cache of npx is not for users.
  if (home.includes(`${sep}_npx${sep}`)) return `npm install --global acp-kit ${name}`;
  const isProject = inside === undefined || existsSync(join(home, "package.json"));
  return isProject ? `npm install ${name}` : `npm install --global ${name}`;
}
