import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";

interface Row {
  readonly title: string;
  readonly unit: string;
  readonly figures: { readonly ours?: number; readonly sdk?: number };
}

/** The cells of a row of a table in a document, from the rows of the bench report. */
type Cells = (figures: Figures) => readonly string[];

/** The rows of the bench report, by title. */
class Figures {
  readonly #rows: ReadonlyMap<string, Row>;

  constructor(rows: readonly Row[]) {
    this.#rows = new Map(rows.map((row) => [row.title, row]));
  }

  /** The figures of acp-kit and of the SDK, with three digits, as on the site's first page. */
  compared(title: string): readonly string[] {
    const { figures, unit } = this.#row(title);
    return [figures.ours, figures.sdk].map((value = Number.NaN) => `${rounded(value, 3)} ${unit}`.replace(" /s", "/s"));
  }

  ours(title: string): number {
    return this.#row(title).figures.ours ?? Number.NaN;
  }

  #row(title: string): Row {
    const row = this.#rows.get(title);
    if (row === undefined) throw new Error(`The bench report has no row "${title}"`);
    return row;
  }
}

function rounded(value: number, digits: number): string {
  return Number(value.toPrecision(digits)).toLocaleString("en");
}

const ofBoth =
  (title: string): Cells =>
  (figures) =>
    figures.compared(title);

const engines = ["Redis, everysec", "PostgreSQL"];
const ofEngines =
  (cell: (ours: (title: string) => number) => string): Cells =>
  (figures) =>
    engines.map((engine) => cell((title) => figures.ours(`${engine}: ${title}`)));
const milliseconds = (value: number): string => `${value < 1 ? value.toFixed(1) : Math.round(value)}`;

/** The rows of documents that contain figures of the bench report: by document, and by the first cell of the row. */
const shown: Readonly<Record<string, Readonly<Record<string, Cells>>>> = {
  "README.md": {
    "message chunks delivered, agent process → client process": ofBoth("chunk: updates delivered"),
    "round trips, one request in flight": ofBoth("1 in flight: round trips"),
    "round trips, 64 requests in flight": ofBoth("64 in flight: round trips"),
    "client memory while a slow handler delays 100,000 updates": ofBoth("stalled reader: memory of the client"),
    "time to read 200,000 queued updates after the turn": ofBoth("200,000 queued updates, drained"),
    "time for a message of 10 MB": ofBoth("latency"),
    "import time of the agent library": ofBoth("agent: import"),
    "disk space of the packages for an agent": ofBoth("installed for an agent"),
    "bundle of the smallest agent": ofBoth("smallest agent"),
    "bundle of the smallest client": ofBoth("smallest client"),
    "page that sends and receives messages, over WebSocket": ofBoth(
      "page with the messages of the protocol, over WebSocket",
    ),
    "memory of an idle connection, both ends": ofBoth("one idle connection, both ends"),
  },
  "docs/guides/your-agent-on-the-web.md": {
    "`connectAgent`": (figures) => [`${rounded(figures.ours("smallest client of a page, over WebSocket"), 3)} kB`],
    "`Peer`": (figures) => [`${rounded(figures.ours("page with the messages of the protocol, over WebSocket"), 3)} kB`],
  },
  "docs/hosting/README.md": {
    "a session with 20 updates of 300 bytes, in the engine": ofEngines(
      (ours) => `${Math.round(ours("an idle session of 20 updates, in the engine") * 1.024)} kB`,
    ),
    "updates appended per second, 200 sessions, 20 updates at the same time": ofEngines((ours) =>
      rounded(ours("updates of 300 B appended, 200 sessions, 20 in a batch"), 2),
    ),
    "an append, median and 99th percentile": ofEngines(
      (ours) =>
        `${milliseconds(ours("p50 of an append, 200 sessions"))} and ${milliseconds(ours("p99 of an append, 200 sessions"))} ms`,
    ),
    "updates replayed per second, one session": ofEngines((ours) =>
      rounded(ours("updates of one session replayed"), 2),
    ),
    "one heartbeat of a server, which renews all of its leases": ofEngines(
      (ours) => `${milliseconds(ours("a renewal with 10,000 owned sessions"))} ms`,
    ),
  },
};

/** The documents that contain figures of the bench report. */
export const withFigures = Object.keys(shown);

/**
 * Returns the text of a document with the figures of the bench report.
 *
 * @throws {Error} if a row is missing in the document or in the report.
 */
export function figuresFilled(path: string, text: string): string {
  const rows = shown[path];
  if (rows === undefined) return text;
  const { sections } = JSON.parse(readFileSync(join(root, "bench/report.json"), "utf8")) as {
    sections: { rows: Row[] }[];
  };
  const figures = new Figures(sections.flatMap((section) => section.rows));
  return Object.entries(rows).reduce((filled, [name, cells]) => {
    const line = filled.split("\n").find((each) => each.startsWith(`| ${name} |`));
    if (line === undefined) throw new Error(`${path} has no row "${name}"`);
    return filled.replace(line, () => `| ${[name, ...cells(figures)].join(" | ")} |`);
  }, text);
}
