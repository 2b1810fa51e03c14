import { InvalidArgumentError, Option } from "commander";
import type { ReportFiles } from "../conformance/report-files.js";

/** The options of both roles. */
export interface ConformanceOptions extends ReportFiles {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Milliseconds. */
  readonly timeout?: number;
  readonly cwd?: string;
  readonly jobs?: number;
  readonly expectedFailures?: string;
  /** Whether a failure is run once more before it counts. */
  readonly confirm?: boolean;
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
  if (!Number.isInteger(jobs) || jobs < 1) throw new InvalidArgumentError("Expected a whole number greater than 0.");
  return jobs;
}

/** A time limit in milliseconds. */
export function milliseconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected milliseconds: a number greater than 0.");
  return value;
}

/** `fake`, or `fake:` and a port: the port of the scripted model; 0 takes a free one. */
export function modelPort(text: string): number {
  const [, port = "0"] = /^fake(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (!text.startsWith("fake") || Number(port) > 65_535 || !/^fake(?::\d{1,5})?$/.test(text)) {
    throw new InvalidArgumentError("It takes fake, or fake:<port>.");
  }
  return Number(port);
}

/** Seconds, as milliseconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected seconds: a number greater than 0.");
  return value * 1000;
}

export const onlyOption: Option = new Option(
  "--only <ids>",
  "run only scenarios, watches or rules with these ids or prefixes, comma-separated",
).argParser(list);
export const skipOption: Option = new Option(
  "--skip <ids>",
  "skip scenarios, watches or rules with these ids or prefixes, comma-separated",
).argParser(list);
export const jsonOption: Option = new Option("--json <file>", "write the report as JSON");
export const junitOption: Option = new Option("--junit <file>", "write the report as JUnit XML");
export const htmlOption: Option = new Option(
  "--html <file>",
  "write the report, with the dialogues of failures, as one HTML file",
);
export const expectedFailuresOption: Option = new Option(
  "--expected-failures <file>",
  "a file with ids that may fail, one on a line; an id that passes is an error",
);
export const badgeOption: Option = new Option("--badge <file>", "write a badge for a README as SVG");
export const reproOption: Option = new Option(
  "--repro <directory>",
  "write a script for each fault, which reproduces the fault without this program",
);
export const baselineOption: Option = new Option(
  "--baseline <file>",
  "an earlier report as JSON: show which rules were broken or fixed since",
);
export const confirmOption: Option = new Option(
  "--no-confirm",
  "count a failure at once, without running the scenario a second time in a new process and home folder",
);
