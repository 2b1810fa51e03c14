import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ConformanceReport, reportHtml, reportJUnit, reportText } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import { ExitCode } from "../exit-code.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";

/** The files to write a report to. */
export interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
}

/** Prints a report, writes its files, and returns the exit code. */
export function printReport(host: Host, found: ConformanceReport, files: ReportFiles): ExitCode {
  const report = hideInValue(found, host);
  host.stdout.write(reportText(report, host.stdout.colours));
  write(host, files.json, `${JSON.stringify(report, undefined, 2)}\n`);
  write(host, files.junit, reportJUnit(report));
  write(host, files.html, reportHtml(report));
  return report.conformant ? ExitCode.ok : ExitCode.error;
}

/** Reads ids, one per line; text after `#` is a comment. */
export function readIds(host: Host, file: string): readonly string[] {
  return read(host, file)
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((id) => id !== "");
}

/** Reads the text of a file that an option names. */
export function read(host: Host, file: string): string {
  try {
    return readFileSync(resolve(host.cwd, file), "utf8");
  } catch (cause) {
    throw usageFailure(`Can't read ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function write(host: Host, file: string | undefined, text: string): void {
  if (file === undefined) return;
  try {
    writeFileSync(resolve(host.cwd, file), text);
  } catch (cause) {
    throw usageFailure(`Can't write ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
