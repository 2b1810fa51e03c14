import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The manifest of an installed package, and its path. */
export interface Installed {
  readonly folder: string;
  readonly version: string;
}

/** Finds the package that a module is imported from. */
export function installed(module: string): Installed {
  const name = module.split("/", module.startsWith("@") ? 2 : 1).join("/");
  for (let folder = dirname(fileURLToPath(import.meta.resolve(module))); ; folder = dirname(folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === name) return { folder, version: manifest.version ?? "?" };
    if (folder === dirname(folder)) throw new Error(`${module} is not installed`);
  }
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined; // most folders have none
  }
}
