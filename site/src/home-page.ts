import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";

interface Row {
  readonly title: string;
  readonly unit: string;
  readonly figures: { readonly ours?: number; readonly sdk?: number };
}

/** The rows of the bench report that the first page shows, with their names there. */
const shown: readonly (readonly [row: string, words: string])[] = [
  ["chunk: updates delivered", "Message chunks delivered, agent process to client process"],
  ["tool_call_update: updates delivered", "Tool call updates delivered"],
  ["64 in flight: round trips", "Round trips with 64 requests in flight"],
  ["stalled reader: memory of the client", "Client memory while a slow handler delays 100,000 updates"],
  ["200,000 queued updates, drained", "Time to read 200,000 queued updates"],
];

/** Returns the first page: the text of `home.md` with the table of measured figures. */
export function homePage(): string {
  const text = readFileSync(join(root, "site", "home.md"), "utf8");
  return text.replace("<!-- figures -->", figures());
}

function figures(): string {
  const { sections } = JSON.parse(readFileSync(join(root, "bench", "report.json"), "utf8")) as {
    sections: { rows: Row[] }[];
  };
  const rows = sections.flatMap((section) => section.rows);
  const lines = shown.map(([title, words]) => {
    const row = rows.find((candidate) => candidate.title === title);
    if (row?.figures.ours === undefined || row.figures.sdk === undefined)
      throw new Error(`bench/report.json has no row "${title}"`);
    return `| ${words} | ${figure(row.figures.ours, row.unit)} | ${figure(row.figures.sdk, row.unit)} |`;
  });
  return ["| | acp-kit | official SDK |", "| --- | ---: | ---: |", ...lines].join("\n");
}

function figure(value: number, unit: string): string {
  const rounded = Number(value.toPrecision(3));
  return `${rounded.toLocaleString("en")} ${unit}`.replace(" /s", "/s");
}
