import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, succeed } from "./commands.js";

/**
 * Installs packages in an empty project as a user does, with the scripts of dependencies and an npm that insists on
 * `engines`.
 */
export async function installWithNpm(
  directory: string,
  tarballs: Readonly<Record<string, string>>,
  names: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  mkdirSync(directory, { recursive: true });
  const overrides = fileSpecifiers(tarballs);
  const dependencies = Object.fromEntries(names.map((name) => [name, overrides[name]]));
  const manifest = { private: true, type: "module", dependencies, overrides };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest, undefined, 2));
  await succeed(npm("install", "--prefer-offline", "--engine-strict", "--no-audit", "--no-fund"), directory, env);
  return directory;
}

/** Returns the specifiers that install packages from their tarballs, by name. */
export function fileSpecifiers(tarballs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`]));
}
