import { writeFileSync } from "node:fs";
import type { Redactor } from "@acp-kit/redact";
import {
  type Recorder,
  type RecordingEntry,
  RecordingReader,
  type RecordingSink,
  recorder,
} from "@acp-kit/testing/recording";
import { version } from "../../version.js";

/** How much of the conversation's wire is kept for `/trace`, in characters. */
export const maxTapeLength = 16_000_000;

/** The wire of the conversation, the last part of it when it is long. Secrets are hidden. */
export interface Tape {
  readonly recorder: Recorder;
  /** What was recorded, as it would stand in a file. */
  text(): string;
  /** Writes it to a file that must not exist yet, for the user's eyes alone. */
  save(path: string): void;
  /** Hears every entry from now on; `undefined` stops that. */
  follow(listener: ((entry: RecordingEntry) => void) | undefined): void;
}

/**
 * Records into memory. The head of the recording stays, the oldest messages go.
 *
 * @param redactor hides secrets; without one they are recorded.
 */
export function createTape(redactor: Redactor | undefined): Tape {
  let header = "";
  let lines: string[] = [];
  let length = 0;
  const reader = new RecordingReader();
  let heard: ((entry: RecordingEntry) => void) | undefined;
  const sink: RecordingSink = {
    write(line) {
      if (header === "") header = line;
      else {
        lines.push(line);
        length += line.length;
      }
      if (length > 2 * maxTapeLength) {
        while (length > maxTapeLength) length -= lines.shift()?.length ?? 0;
        lines = [...lines];
      }
      if (heard !== undefined) for (const entry of reader.push(line)) heard(entry);
      else if (line === header) reader.push(line);
    },
  };
  const text = (): string => header + lines.join("");
  return {
    recorder: recorder({
      in: "client",
      sink,
      ...(redactor === undefined ? { secrets: true } : { redactor }),
      recorder: { name: "acp-kit", version: version() },
    }),
    text,
    save: (path) => writeFileSync(path, text(), { mode: 0o600, flag: "wx" }),
    follow(listener) {
      heard = listener;
    },
  };
}
