import type { TapEvent } from "@acp-kit/jsonrpc";
import { redactFileContents } from "./file-contents.js";
import { otherSide, type ProcessEvent, RECORDING_VERSION, type RecordingEntry, type Side } from "./format.js";
import { OpenRequests } from "./open-requests.js";
import { outlineOf } from "./outline.js";
import { type RecorderOptions, recorderDefaults } from "./recorder-options.js";
import { RecordingWriter } from "./recording-writer.js";
import { redactCommand, redactMessage, redactText } from "./redaction.js";

/** A message on its way into a recording. */
export interface RecordedDetails {
  /** Its JSON text as it was on the wire: recorded as it is, when nothing in it has to be hidden. */
  readonly text?: string;
  /** Its size on the wire. */
  readonly bytes?: number;
}

/** How much is in a recording, and how much is not. */
export interface RecorderStats {
  readonly entries: number;
  readonly bytes: number;
  /** Messages recorded without their contents, and entries that came after the recording was full. */
  readonly leftOut: number;
}

/**
 * Records one connection. It is itself a `Tap`: hand it to `connectAgent`, `createAgent` or a bare connection. The members record
 * what a tap doesn't see; none of them ever throws.
 */
export interface Recorder {
  (event: TapEvent): void;
  message(from: Side, message: unknown, details?: RecordedDetails): void;
  /** Input that is no JSON. `bytes` is its size when `text` is only the beginning of it. */
  noise(from: Side, text: string, bytes?: number): void;
  /** A line of the agent's standard error: usable as `onStderr` of `spawnAgent`. */
  stderr(line: string): void;
  process(event: ProcessEvent): void;
  /** A remark, for whoever reads the recording. */
  note(text: string, data?: unknown): void;
  readonly stats: RecorderStats;
  /** Says what was left out, and closes the sink. What is recorded afterwards is lost. Idempotent; never rejects. */
  close(): Promise<void>;
}

/**
 * Records a conversation as JSON Lines, each line written when it happens, so that a crash costs nothing but what came after it.
 *
 * Secrets are hidden unless asked otherwise; whatever was hidden or left out is said in the recording. One recorder is for one connection.
 *
 * @example
 * ```ts
 * const tape = recorder({ in: "client", sink: openRecordingFile("session.jsonl") });
 * await using agent = await connectAgent(spawnAgent({ command, onStderr: tape.stderr }), { tap: tape });
 * ```
 */
export function recorder(options: RecorderOptions): Recorder {
  const {
    in: place,
    clock = platformClock,
    secrets = false,
    fileContents = true,
    maxMessageBytes = recorderDefaults.maxMessageBytes,
    maxTextBytes = recorderDefaults.maxTextBytes,
  } = options;
  const start = clock.now();
  const writer = new RecordingWriter(options);
  const requests = new OpenRequests();
  const now = (): number => Math.round((clock.now() - start) * 1000) / 1000;
  const write = (entry: RecordingEntry): void => writer.write(entry, JSON.stringify(entry));
  const words = secrets ? (text: string) => text : redactText;

  const message = (from: Side, value: unknown, { text, bytes }: RecordedDetails = {}): void =>
    writer.guard(() => {
      const method = requests.methodOf(from, value);
      const open = secrets ? value : redactMessage(value);
      const shown = fileContents ? open : redactFileContents(open, method);
      const json = (shown === value ? text : undefined) ?? JSON.stringify(shown) ?? "null";
      const t = now();
      const size = bytes === undefined || bytes === 0 ? {} : { bytes };
      if (json.length > maxMessageBytes || (bytes ?? 0) > maxMessageBytes) {
        write({ t, kind: "message", from, ...size, leftOut: true, message: outlineOf(value) });
        writer.leftOut += 1;
      } else {
        const head = JSON.stringify({ t, kind: "message", from, ...size });
        writer.write({ t, kind: "message", from, message: shown }, `${head.slice(0, -1)},"message":${json}}`);
      }
      const peers = requests.peers(from, value);
      if (peers !== undefined) write({ t, kind: "peers", ...(secrets ? peers : (redactMessage(peers) as object)) });
    });

  const noise = (from: Side, text: string, bytes?: number): void =>
    writer.guard(() => {
      const shown = words(text.slice(0, maxTextBytes));
      const cut = text.length > maxTextBytes || (bytes !== undefined && bytes > text.length * 4);
      write({
        t: now(),
        kind: "noise",
        from,
        text: shown,
        ...(bytes !== undefined && { bytes }),
        ...(cut && { cut: true }),
      });
    });

  const tap = (event: TapEvent): void => {
    const ours: Side = place === "agent" ? "agent" : "client";
    const from = event.direction === "sent" ? ours : otherSide(ours);
    if (event.malformed) noise(from, String(event.message), event.size);
    else message(from, event.message, { bytes: event.size });
  };

  writer.header({
    acpRecording: RECORDING_VERSION,
    startedAt: clock.date().toISOString(),
    recordedIn: place,
    ...(options.recorder && { recorder: options.recorder }),
    redacted: { secrets: !secrets, fileContents: !fileContents },
  });
  return Object.defineProperties(tap, {
    message: { value: message },
    noise: { value: noise },
    stderr: {
      value: (line: string) =>
        writer.guard(() => {
          const cut = line.length > maxTextBytes;
          write({ t: now(), kind: "stderr", text: words(line.slice(0, maxTextBytes)), ...(cut && { cut }) });
        }),
    },
    process: {
      value: (event: ProcessEvent) =>
        writer.guard(() => {
          const command = event.event === "started" ? event.command : undefined;
          const shown = secrets || command === undefined ? event : { ...event, command: redactCommand(command) };
          write({ t: now(), kind: "process", ...shown });
        }),
    },
    note: {
      value: (text: string, data?: unknown) =>
        writer.guard(() => {
          const shown = secrets ? data : redactMessage(data);
          write({ t: now(), kind: "note", text: words(text), ...(data !== undefined && { data: shown }) });
        }),
    },
    stats: { get: () => writer.stats },
    close: { value: () => writer.close(now()) },
  }) as Recorder;
}

const platformClock = { now: (): number => performance.now(), date: (): Date => new Date() };
