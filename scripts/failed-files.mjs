import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";

/** The options with which vitest prints its usual report, and also writes it to a file as JSON. */
export function reportingTo(file) {
  const printed = process.env.GITHUB_ACTIONS === "true" ? ["default", "github-actions"] : ["default"];
  const reporters = [...printed, "json"].map((name) => `--reporter=${name}`).join(" ");
  return `${reporters} --outputFile.json="${file}"`;
}

/** The files with failed tests in a report of vitest, relative to `root`. Empty if the report is missing: vitest ended early. */
export function failedFiles(report, root) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch {
    return [];
  }
  const files = results.filter(({ status }) => status === "failed").map(({ name }) => name);
  return [...new Set(files)].map((file) => relative(root, file).split(sep).join("/"));
}
