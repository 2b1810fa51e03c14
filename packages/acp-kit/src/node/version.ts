import { existsSync, readFileSync } from "node:fs";

/** Returns the version of this package. */
export function version(): string {
  return (JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as { readonly version: string }).version;
}

/** Returns the URL of a file of this package. Searches for `package.json`: the build changes the depth. */
export function packageFile(name: string): URL {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    if (nameIn(folder) === "acp-kit") return new URL(name, folder);
    if (folder.pathname === new URL("..", folder).pathname) throw new Error("acp-kit: its package.json is missing");
  }
}

function nameIn(folder: URL): string | undefined {
  const manifest = new URL("package.json", folder);
  return existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: string }).name
    : undefined;
}
