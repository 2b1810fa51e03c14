import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ConformanceReport,
  reportHtml,
  reportJUnit,
  reportText,
  reproScript,
  type TestedRole,
  unknownExpectedFailure,
} from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { fileReasonClause, readText } from "../user-file.js";
import { compareWithBaseline, parseReport } from "./baseline.js";

/** The paths of the files to which a report is written. */
export interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  /** A directory for scripts. Each reproduces one of the report's `faults` without the conformance kit. */
  readonly repro?: string;
  /** An earlier report as JSON, to compare with. */
  readonly baseline?: string;
}

/** Reads the earlier report before the scenarios run: a wrong file must not lose the report of a long run. */
export function readBaseline(host: Host, { baseline }: ReportFiles): ConformanceReport | undefined {
  return baseline === undefined ? undefined : readReport(host, baseline);
}

/** Reads a report that the option `--json` has written. @throws {CommandFailure} when the file is not a report. */
export function readReport(host: Host, file: string): ConformanceReport {
  return parseReport(read(host, file), file);
}

/** Prints a report and the changes since `earlier`, writes the files, and returns the command's exit code. */
export function writeReport(
  host: Host,
  found: ConformanceReport,
  files: ReportFiles,
  earlier: ConformanceReport | undefined,
): ExitCode {
  const report = hideInValue(found, host);
  host.stdout.write(reportText(report, host.stdout.colours));
  if (earlier !== undefined) host.stdout.write(compareWithBaseline(earlier, report));
  write(host, files.json, `${JSON.stringify(report, undefined, 2)}\n`);
  write(host, files.junit, reportJUnit(report));
  write(host, files.html, reportHtml(report));
  if (files.repro !== undefined) writeScripts(host, report, files.repro);
  return exitCodeOfReport(report);
}

function writeScripts(host: Host, report: ConformanceReport, directory: string): void {
  try {
    mkdirSync(resolve(host.cwd, directory), { recursive: true });
  } catch (cause) {
    throw usageFailure(`Can't create ${directory}, because ${fileReasonClause(cause)}`, { cause });
  }
  for (const fault of report.faults) {
    const script = reproScript(report, fault);
    if (script !== undefined) write(host, join(directory, `${fault.id}.mjs`), script);
  }
}

function exitCodeOfReport({ verdict, stopped }: ConformanceReport): ExitCode {
  if (stopped) return ExitCode.cancelled;
  switch (verdict) {
    case "conformant":
      return ExitCode.ok;
    case "not conformant":
      return ExitCode.error;
    case "inconclusive":
      return ExitCode.agentFailed;
  }
}

/**
 * Reads the ids of expected failures, one per line. Text after `#` is a comment.
 *
 * @throws {CommandFailure} when no check for peers of this role has one of the ids.
 */
export function readExpectedFailures(host: Host, role: TestedRole, file: string): readonly string[] {
  const ids = read(host, file)
    .split(/\r?\n/)
    .map((line) => withoutComment(line).trim())
    .filter((id) => id !== "");
  const unknown = unknownExpectedFailure(role, ids);
  if (unknown !== undefined) throw usageFailure(`${file}: ${unknown}`);
  return ids;
}

function withoutComment(line: string): string {
  const start = line.search(/(?:^|\s)#/);
  return start < 0 ? line : line.slice(0, start);
}

/** Reads the text of a file that an option names. */
export function read(host: Host, file: string): string {
  return readText(resolve(host.cwd, file), file);
}

function write(host: Host, file: string | undefined, text: string): void {
  if (file === undefined) return;
  try {
    writeFileSync(resolve(host.cwd, file), text);
  } catch (cause) {
    throw usageFailure(`Can't write ${file}, because ${fileReasonClause(cause)}`, { cause });
  }
}
