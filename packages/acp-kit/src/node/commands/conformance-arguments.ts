import { InvalidArgumentError, Option } from "commander";
import type { ReportFiles } from "../conformance/report-files.js";

/** Options that the tests of both roles have. */
export interface ConformanceOptions extends ReportFiles {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly cwd?: string;
  readonly jobs?: number;
  readonly expectedFailures?: string;
}

/** Parses comma-separated ids. */
export function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Parses a positive integer. */
export function count(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1) throw new InvalidArgumentError("Expected a whole number over 0.");
  return jobs;
}

/** Parses seconds; returns milliseconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected seconds: a number over 0.");
  return value * 1000;
}

export const onlyOption: Option = new Option(
  "--only <ids>",
  "run only scenarios, watches or rules with these ids or prefixes, comma-separated",
).argParser(list);
export const skipOption: Option = new Option("--skip <ids>", "skip these, likewise").argParser(list);
export const jsonOption: Option = new Option("--json <file>", "write the report as JSON");
export const junitOption: Option = new Option("--junit <file>", "write the report as JUnit XML");
export const htmlOption: Option = new Option(
  "--html <file>",
  "write the report, with the dialogues of failures, as one HTML file",
);
export const expectedFailuresOption: Option = new Option(
  "--expected-failures <file>",
  "ids that may fail, one per line; it is an error if one of them passes",
);
