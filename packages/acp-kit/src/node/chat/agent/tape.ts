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

/** The UTF-16 units of messages that `/trace` keeps. At twice this length, the oldest messages are dropped. */
export const maxTapeLength = 16_000_000;

/** A recording of the messages, with secrets redacted. Of a long conversation, the oldest messages are dropped. */
export interface Tape {
  readonly recorder: Recorder;
  /** Returns the recording as the text of a recording file. */
  text(): string;
  /** Writes the recording to a new file that only the user can read. */
  save(path: string): void;
  /** Calls the listener with every later entry. `undefined` removes the listener. */
  follow(listener: ((entry: RecordingEntry) => void) | undefined): void;
}

/**
 * Creates a recording in memory. If it becomes too long, the oldest messages are dropped, but not the header.
 *
 * @param redactor redacts secrets. Without a redactor, the tape contains the secrets.
 */
export function createTape(redactor: Redactor | undefined): Tape {
  let header = "";
  let lines: string[] = [];
  let length = 0;
  const reader = new RecordingReader();
  let listener: ((entry: RecordingEntry) => void) | undefined;
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
      if (listener !== undefined) for (const entry of reader.push(line)) listener(entry);
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
    follow(onEntry) {
      listener = onEntry;
    },
  };
}
