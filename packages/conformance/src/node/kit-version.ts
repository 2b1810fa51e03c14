import { readFileSync } from "node:fs";

/**
 * Returns the version of this package. Searches the parent folders for package.json, because the depth of this file is
 * different in the source and in the build.
 */
export function kitVersion(): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === "@acp-kit/conformance") return manifest.version;
    if (folder.pathname === new URL("..", folder).pathname) return "unknown"; // bundled into a program of its own
  }
}

function manifestIn(folder: URL): { readonly name: string; readonly version: string } | undefined {
  try {
    return JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  } catch {
    return undefined; // this folder has no package.json
  }
}
