import type { ConformanceReport } from "@acp-kit/conformance";
import { reportMatrix } from "@acp-kit/conformance";
import { Command } from "commander";
import { usageFailure } from "../command-failure.js";
import { read } from "../conformance/report-files.js";
import type { Host } from "../host.js";
import { parseJson } from "../user-file.js";

/** `acp-kit conformance matrix`: several reports as one table. */
export function conformanceMatrixCommand(host: Host): Command {
  return new Command("matrix")
    .argument("<reports...>", "JSON reports, all of agents or all of clients")
    .summary("print several reports as one table")
    .description("Prints a Markdown table with the verdict of each peer and the rules that it breaks.")
    .action((files: string[]) => {
      host.stdout.write(reportMatrix(files.map((file) => reportIn(host, file))));
    });
}

function reportIn(host: Host, file: string): ConformanceReport {
  const report = parseJson(read(host, file), file) as Partial<ConformanceReport> | null;
  if (report?.format === "acp-kit/conformance-report" && report.version === 2) return report as ConformanceReport;
  throw usageFailure(
    `${file} is not a conformance report of version 2. Write a report with the option --json of acp-kit conformance.`,
  );
}
