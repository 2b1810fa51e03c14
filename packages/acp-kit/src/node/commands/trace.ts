import { Command } from "commander";
import type { Host } from "../host.js";
import { printTrace } from "../trace/print-trace.js";
import { writeTracePage } from "../trace/write-trace-page.js";

interface TraceOptions {
  readonly html?: string;
  readonly follow?: boolean;
}

/** `acp-kit trace`: a recording to read. */
export function traceCommand(host: Host): Command {
  return new Command("trace")
    .summary("read a recording: as a sequence in the terminal, or as an HTML page")
    .description(
      "Prints what is in a recording, a line each: time, direction, method, id, session, how long the answer took, and\n" +
        "a few words of what it says. With --html, writes a page with a sequence diagram, filters and every message.",
    )
    .argument("<file>", "the recording; - for standard input")
    .option("--html <out>", "write one HTML file, which needs nothing else and asks the network for nothing")
    .option("-f, --follow", "go on as long as the recording grows")
    .addHelpText("after", afterHelp)
    .action(async (file: string, { html, follow = false }: TraceOptions) => {
      if (html === undefined) await printTrace(file, follow, host);
      else await writeTracePage(file, html, host);
    });
}

const afterHelp = `
Arrows:
  client ──> agent   a request or a notification   client ··> agent   an answer
  client <─? agent   something that is no message  s1, s2             sessions, in the order in which they come

Examples:
  acp-kit trace session.jsonl
  acp-kit trace session.jsonl --html session.html
  acp-kit run --format jsonl --prompt hello -- gemini --acp | acp-kit trace -`;
