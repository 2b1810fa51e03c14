import { Command } from "commander";
import type { Host } from "../host.js";
import { printTrace } from "../trace/print-trace.js";
import { writeTracePage } from "../trace/write-trace-page.js";

interface TraceOptions {
  readonly html?: string;
  readonly follow?: boolean;
}

/** `acp-kit trace`: shows a recording. */
export function traceCommand(host: Host): Command {
  return new Command("trace")
    .summary("show a recording: as a sequence in the terminal, or as an HTML page")
    .description(
      "Prints one line per message: time, direction, method, id, session, response time, and an excerpt of its content. With --html, writes the " +
        "page of the inspector: the conversation, and every message with filters, a search and its faults.",
    )
    .argument("<file>", "the file of the recording, or - for standard input")
    .option("--html <out>", "write one self-contained HTML file; it loads nothing from the network")
    .option("-f, --follow", "keep printing while the recording is written")
    .addHelpText("after", afterHelp)
    .action(async (file: string, { html, follow = false }: TraceOptions) => {
      if (html === undefined) await printTrace(file, follow, host);
      else await writeTracePage(file, html, host);
    });
}

const afterHelp = `
The page is in the package @acp-kit/inspector, which is installed separately.

Arrows:
  client ──> agent   a request or a notification   client ··> agent   a response
  client <─? agent   an invalid message            s1, s2             sessions, in order of appearance

Examples:
  acp-kit trace session.jsonl
  acp-kit trace session.jsonl --html session.html
  acp-kit run --format jsonl --prompt hello -- gemini --acp | acp-kit trace -`;
