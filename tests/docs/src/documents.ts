import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { filesBelow } from "@acp-kit/workspace-tests/sources";

/** A Markdown file of the repository, with its path from the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

// Files that tools write, data of tests, and the first page of the site. The links of that page are addresses of the
// site, which its build checks.
const others = /(^|\/)CHANGELOG\.md$|(^|\/)(\.changeset|cases|fixtures)\/|^schema\/|^site\//;

/** Returns every Markdown file that people read. */
export function documents(): Document[] {
  return filesBelow(root)
    .filter((path) => path.endsWith(".md") && !others.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n") }));
}

/** The READMEs with a test beside their source that compares the examples. */
export const testedElsewhere: readonly string[] = ["jsonrpc", "protocol", "schema", "stdio"].map(
  (name) => `packages/${name}/README.md`,
);
