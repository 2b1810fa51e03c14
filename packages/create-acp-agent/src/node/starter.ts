import { readFileSync } from "node:fs";

/** What a starter package says of itself in its manifest. */
export interface Starter {
  readonly name: string;
  readonly description: string;
  /**
   * The ranges that new projects depend on, by package: those of the starter's own development dependencies, which it was tested with.
   * In a published manifest they are ranges; in this workspace they are protocols of pnpm.
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
