import type { Tap } from "@acp-kit/client";
import { jsonText } from "../json-text.js";
import type { Output } from "../output.js";
import { wireLine } from "../wire-line.js";
import type { RunReport } from "./run-report.js";

/** What standard output holds: the agent's words, one object at the end, or every message. */
export const runFormats = ["text", "json", "jsonl"] as const;

export type RunFormat = (typeof runFormats)[number];

/** Writes a run in one format. */
export interface RunWriter {
  /** Sees the wire. */
  readonly tap?: Tap;
  /** More of the agent's message has come. */
  text?(added: string): void;
  /** The run is over, however it ended. */
  end?(report: RunReport): void;
}

/** @param startedAt what the times in `jsonl` count from, as `performance.now()` has it. */
export function runWriter(format: RunFormat, out: Output, startedAt: number): RunWriter {
  switch (format) {
    case "text":
      return {
        text: (added) => out.write(added),
        end: ({ text }) => out.write(text === "" || text.endsWith("\n") ? "" : "\n"),
      };
    case "json":
      return { end: (report) => out.line(jsonText(report)) };
    case "jsonl":
      return {
        tap(event) {
          const line = wireLine(event, startedAt);
          if (line !== undefined) out.line(line);
        },
      };
  }
}
