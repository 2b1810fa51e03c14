import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";

/**
 * The options with which vitest prints its usual report, and also writes the failed files: see
 * `failed-files-reporter.mjs`.
 */
export function reporters() {
  const printed = process.env.GITHUB_ACTIONS === "true" ? ["default", "github-actions"] : ["default"];
  return [...printed, "./scripts/failed-files-reporter.mjs"].map((name) => `--reporter=${name}`).join(" ");
}

/**
 * Returns the files with failed tests in a report, relative to `root`. Returns an empty list if the report is missing,
 * because vitest ended early or an error belongs to no test.
 */
export function failedFiles(report, root) {
  try {
    const files = JSON.parse(readFileSync(report, "utf8"));
    return files.map((file) => relative(root, file).split(sep).join("/"));
  } catch {
    return [];
  }
}
