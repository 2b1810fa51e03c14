import { type ConformanceReport, compareReports } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";
import { parseJson } from "../user-file.js";

/** Parses a report. @throws {CommandFailure} when the text of the file is not a report. */
export function parseReport(text: string, file: string): ConformanceReport {
  const report = parseJson(text, file) as Partial<ConformanceReport> | null;
  if (report?.format === "acp-kit/conformance-report" && report.version === 2) return report as ConformanceReport;
  throw usageFailure(
    `${file} is not a conformance report of version 2: write a report with the option --json of acp-kit conformance.`,
  );
}

/** Returns the changes since an earlier report, as text for the terminal. */
export function compareWithBaseline(baseline: ConformanceReport, report: ConformanceReport): string {
  const { broken, fixed, other } = compareReports(baseline, report);
  const lines = [
    ...broken.map((id) => `  now broken: ${id}`),
    ...fixed.map((id) => `  no longer broken: ${id}`),
    ...other.map(({ id, before, after }) => `  ${id}: ${before}, now ${after}`),
  ];
  return `\nsince ${baseline.startedAt}:\n${lines.length > 0 ? lines.join("\n") : "  nothing changed"}\n`;
}
