// The metadata of the project, which every published manifest contains. `pnpm metadata` writes them, and a test
// compares the manifests.
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packages, root } from "./packages.mjs";

export const repository = "https://github.com/acp-kit/acp-kit";

/** The address of the documentation site. */
export const site = "https://acp-kit.github.io/acp-kit";

const common = ["acp", "agent-client-protocol", "coding-agent"];

/** Returns the manifest that a package should have. */
export function withMetadata({ directory, manifest }) {
  const folder = relative(root, directory).split(sep).join("/");
  const {
    name,
    version,
    description,
    license,
    author,
    keywords = [],
    homepage,
    bugs,
    repository: _,
    ...rest
  } = manifest;
  return {
    name,
    version,
    description,
    keywords: [...common, ...keywords.filter((word) => !common.includes(word))],
    license,
    homepage: `${repository}/tree/main/${folder}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: "git", url: `git+${repository}.git`, directory: folder },
    ...rest,
  };
}

/** Returns the text that a manifest should have. */
export const manifestText = (package_) => `${JSON.stringify(withMetadata(package_), undefined, 2)}\n`;

if (process.argv[1] === import.meta.filename) {
  for (const package_ of packages()) {
    const path = join(package_.directory, "package.json");
    const text = manifestText(package_);
    if (readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}
