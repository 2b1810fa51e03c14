import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { expect, it } from "vitest";

interface Row {
  readonly title: string;
  readonly unit: string;
  readonly figures: { readonly ours?: number; readonly sdk?: number };
}

/** The rows of the bench report that the repository's README shows, with their names there. */
const shown: Readonly<Record<string, string>> = {
  "chunk: updates delivered": "message chunks delivered, agent process → client process",
  "1 in flight: round trips": "round trips, one request in flight",
  "64 in flight: round trips": "round trips, 64 requests in flight",
  "stalled reader: memory of the client": "client memory while a slow handler delays 100,000 updates",
  "200,000 queued updates, drained": "time to read 200,000 queued updates after the turn",
  latency: "time for a message of 10 MB",
  "agent: import": "import time of the agent library",
  "installed for an agent": "disk space of the packages for an agent",
  "smallest agent": "bundle of the smallest agent",
  "smallest client": "bundle of the smallest client",
  "one idle connection, both ends": "memory of an idle connection, both ends",
};

it("the figures in the README equal those of the bench report", () => {
  const { sections } = JSON.parse(readFileSync(join(root, "bench/report.json"), "utf8")) as {
    sections: { rows: Row[] }[];
  };
  const rows = sections.flatMap((section) => section.rows);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const [title, words] of Object.entries(shown)) {
    const row = rows.find((candidate) => candidate.title === title);
    const { ours = Number.NaN, sdk = Number.NaN } = row?.figures ?? {};
    expect(readme).toContain(`| ${words} | ${figure(ours, row?.unit)} | ${figure(sdk, row?.unit)} |\n`);
  }
});

/** Rounds to three digits, as the site's first page does. */
function figure(value: number, unit = ""): string {
  return `${Number(value.toPrecision(3)).toLocaleString("en")} ${unit}`.replace(" /s", "/s");
}
