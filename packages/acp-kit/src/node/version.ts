import { readFileSync } from "node:fs";

/** Returns the version of this package. Searches for the manifest in parent folders, since the depth of this file depends on the build. */
export function version(): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === "acp-kit") return manifest.version;
    if (folder.pathname === new URL("..", folder).pathname) throw new Error("acp-kit: its package.json is missing");
  }
}

function manifestIn(folder: URL): { readonly name: string; readonly version: string } | undefined {
  try {
    return JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  } catch {
    return undefined; // a folder of the build
  }
}
