import { readFileSync } from "node:fs";

/** Returns the version of this package. Searches the parent folders for its manifest, because the build decides the depth of this file. */
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
    return undefined; // a folder of the build
  }
}
