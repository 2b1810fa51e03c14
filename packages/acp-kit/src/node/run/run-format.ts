import type { Tap } from "@acp-kit/client";
import { cleanText, withoutEscapes } from "../chat/text/clean.js";
import { jsonText } from "../json-text.js";
import type { Output } from "../output.js";
import { wireLine } from "../wire-line.js";
import type { RunReport } from "./run-report.js";

/** The output formats: the agent's text (`text`), one object at the end (`json`), or every message (`jsonl`). */
export const runFormats = ["text", "json", "jsonl"] as const;

export type RunFormat = (typeof runFormats)[number];

/** Writes the output of a run in one format. */
export interface RunWriter {
  /** Receives every message. */
  readonly tap?: Tap;
  /** Called with each new part of the agent's text. */
  text?(added: string): void;
  /** Called at the end of the run, even if it failed. */
  end?(report: RunReport): void;
}

/** @param startedAt the value of `performance.now()` from which the times in the format `jsonl` count. */
export function runWriter(format: RunFormat, out: Output, startedAt: number): RunWriter {
  switch (format) {
    case "text":
      return {
        text: (added) => out.write(out.isTerminal ? cleanText(added) : withoutEscapes(added)),
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
