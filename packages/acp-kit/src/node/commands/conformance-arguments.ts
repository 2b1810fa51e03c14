import { type Command, InvalidArgumentError, Option } from "commander";
import { protocolChoices } from "../protocol-version.js";
import { readTimeLimit } from "../time-limit.js";

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

/** Parses `fake` or `fake:<port>`. Returns the port of the scripted model; 0 means any free port. */
export function modelPort(text: string): number {
  const [, port = "0"] = /^fake(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (!text.startsWith("fake") || Number(port) > 65_535 || !/^fake(?::\d{1,5})?$/.test(text)) {
    throw new InvalidArgumentError("Expected fake or fake:<port>.");
  }
  return Number(port);
}

/** Parses seconds into milliseconds. */
export function seconds(text: string): number {
  return readTimeLimit(text);
}

export const onlyOption: Option = new Option(
  "--only <ids>",
  "run only scenarios and watches with these ids or prefixes of ids, or that check the rules with these ids, comma-separated",
).argParser(list);
export const skipOption: Option = new Option(
  "--skip <ids>",
  "skip scenarios and watches with these ids or prefixes of ids, or that check the rules with these ids, comma-separated",
).argParser(list);

/** `--protocol 1|2|auto`: the versions of the protocol whose rules are tested. */
export const testedProtocolOption: Option = new Option(
  "--protocol <version>",
  "the version of the protocol whose rules to test; auto: each version that the peer speaks. The rules of version 2 are advice",
)
  .choices(protocolChoices)
  .default("auto");

/** Adds the options about reports and expected failures. */
export function addReportOptions<Sub extends Command>(command: Sub): Sub {
  return command
    .option("--json <file>", "write the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML")
    .option("--html <file>", "write the report as one HTML file, with the messages of each failure")
    .option("--baseline <file>", "an earlier JSON report: show the rules that were broken or fixed since then")
    .option(
      "--repro <directory>",
      "write a script for each fault of an agent or a client; the script reproduces the fault without acp-kit",
    )
    .option(
      "--expected-failures <file>",
      "a file with ids of scenarios or rules that are expected to fail, one per line; if one of them passes, the run fails",
    )
    .option(
      "--no-confirm",
      "count a failure without running the scenario a second time in a new process and home folder",
    );
}
