import { type ConformanceReport, compareReports } from "@acp-kit/conformance";
import { usageFailure } from "../command-failure.js";

/** Returns the changes since an earlier report, as text for the terminal. @throws {CommandFailure} when the file is not a report. */
export function compareWithBaseline(text: string, file: string, report: ConformanceReport): string {
  let baseline: Partial<ConformanceReport>;
  try {
    baseline = JSON.parse(text) as Partial<ConformanceReport>;
  } catch (cause) {
    throw usageFailure(`${file} is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  if (baseline?.format !== "acp-kit/conformance-report" || baseline.version !== report.version) {
    throw usageFailure(
      `${file} is not a conformance report of version ${report.version}: write a report with the option --json of acp-kit conformance.`,
    );
  }
  const { broken, fixed, other } = compareReports(baseline as ConformanceReport, report);
  const lines = [
    ...broken.map((id) => `  now broken: ${id}`),
    ...fixed.map((id) => `  no longer broken: ${id}`),
    ...other.map(({ id, before, after }) => `  ${id}: ${before}, now ${after}`),
  ];
  return `\nsince ${baseline.startedAt}:\n${lines.length > 0 ? lines.join("\n") : "  nothing changed"}\n`;
}
