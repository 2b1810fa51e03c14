import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "@acp-kit/configs/files";
import type { Manifest } from "../manifest.js";

/** Where generated code lives, relative to the repository. */
export const generatedDirectories: readonly string[] = [
  "packages/schema/src/gen",
  "packages/types/src/gen",
  "packages/conformance/src/gen",
];

/** Why a schema is not adopted that was kept although it breaks stable v1. */
export const undecidedWords = "it breaks stable v1, and that has not been accepted (--accept-breaking)";

/**
 * Why the vendored schema is not adopted yet; `undefined` when it is. The bytes may have been kept to be followed by hand
 * (`--keep`), or put there without the generated code.
 */
export function unfinishedReason(root: string, manifest: Manifest): string | undefined {
  const marks = [
    ...(manifest.undecided === true ? [undecidedWords] : []),
    ...(manifest.unfinished === undefined
      ? []
      : [`pnpm ${manifest.unfinished} failed when it was kept, and has not succeeded since`]),
  ];
  if (marks.length > 0) return marks.join("; ");
  const generated = generatedFrom(root);
  const missing = manifest.files.filter(({ path, sha256 }) => hasCommittedCode(path) && !generated.has(sha256));
  return missing.length === 0
    ? undefined
    : `nothing has been generated from ${missing.map(({ path }) => path).join(", ")}`;
}

/** The build generates the code of version 2, which may be missing from the disk. */
const hasCommittedCode = (path: string) => !path.startsWith("v2/");

/** The sums in the headers of the generated files. */
function generatedFrom(root: string): ReadonlySet<string> {
  const sums = new Set<string>();
  for (const directory of generatedDirectories.map((path) => join(root, path))) {
    if (!existsSync(directory)) continue;
    for (const file of filesBelow(directory)) {
      if (!file.includes(".gen.")) continue;
      const [, , line = ""] = readFileSync(join(directory, file), "utf8").split("\n", 3);
      if (line.startsWith("// sha256 ")) sums.add(line.slice("// sha256 ".length).trim());
    }
  }
  return sums;
}
