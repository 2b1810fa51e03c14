import { reportMatrix } from "@acp-kit/conformance";
import { Command } from "commander";
import { readReport } from "../conformance/report-files.js";
import type { Host } from "../host.js";

/** `acp-kit conformance matrix`: several reports as one table. */
export function conformanceMatrixCommand(host: Host): Command {
  return new Command("matrix")
    .argument("<reports...>", "JSON reports, all of agents or all of clients")
    .summary("print several reports as one table")
    .description("Prints a Markdown table with the verdict of each peer and the rules that it breaks.")
    .action((files: string[]) => {
      host.stdout.write(reportMatrix(files.map((file) => readReport(host, file))));
    });
}
