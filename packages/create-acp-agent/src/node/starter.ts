import { readFileSync } from "node:fs";

/** The manifest of a starter package. */
export interface Starter {
  readonly name: string;
  readonly description: string;
  /**
   * The dependency ranges of new projects, by package. They are the development dependencies with which the starter was
   * tested. A published manifest contains ranges. In this workspace, pnpm's `workspace:` and `catalog:` are used
   * instead of ranges.
   */
  readonly versions: Readonly<Record<string, string>>;
}

/** Reads the manifest in the folder of a starter package. */
export function readStarter(package_: URL): Starter {
  const manifest = JSON.parse(readFileSync(new URL("package.json", package_), "utf8")) as {
    name: string;
    description: string;
    devDependencies: Record<string, string>;
  };
  return { name: manifest.name, description: manifest.description, versions: manifest.devDependencies };
}
