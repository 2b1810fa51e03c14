import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@acp-kit/codegen/load";
import { outputDirectories } from "@acp-kit/codegen/output-paths";
import { filesBelow } from "@acp-kit/configs/files";

/** The reason why a schema that was kept before its decisions were made is not completely adopted. */
export const undecidedWords = "the decisions about the schema have not been made (--decided)";

/**
 * Returns why the vendored schema is not completely adopted; `undefined` if it is. The bytes may have been kept to
 * adapt the code by hand (`--keep`), or written by another tool without generating code.
 */
export function unfinishedReason(root: string, manifest: Manifest): string | undefined {
  const marks = [
    ...(manifest.undecided === true ? [undecidedWords] : []),
    ...(manifest.unfinished === undefined
      ? []
      : [`pnpm ${manifest.unfinished} failed when the schema was kept (--keep), and has not succeeded since`]),
  ];
  if (marks.length > 0) return marks.join("; ");
  const generated = generatedFrom(root);
  const missing = manifest.files.filter(({ path, sha256 }) => hasCommittedCode(path) && !generated.has(sha256));
  return missing.length === 0
    ? undefined
    : `nothing has been generated from ${missing.map(({ path }) => path).join(", ")}`;
}

/** Whether a schema's generated code is committed; of any other schema, it may be missing. */
const hasCommittedCode = (path: string) => path === "v1/schema.json";

/** Returns the checksums in the headers of the generated files. */
function generatedFrom(root: string): ReadonlySet<string> {
  const sums = new Set<string>();
  for (const directory of outputDirectories.map((path) => join(root, path))) {
    if (!existsSync(directory)) continue;
    for (const file of filesBelow(directory)) {
      if (!file.includes(".gen.")) continue;
      const [, , line = ""] = readFileSync(join(directory, file), "utf8").split("\n", 3);
      if (line.startsWith("// sha256 ")) sums.add(line.slice("// sha256 ".length).trim());
    }
  }
  return sums;
}
