import type { TapEvent } from "@acp-kit/jsonrpc";
import { createRedactor } from "@acp-kit/redact";
import { redactedBy, unredacted } from "./entry-redaction.js";
import { redactFileContents } from "./file-contents.js";
import { otherSide, type ProcessEvent, RECORDING_VERSION, type RecordingEntry, type Side } from "./format.js";
import { OpenRequests } from "./open-requests.js";
import { outlineOf } from "./outline.js";
import { isRecordable } from "./recordable.js";
import { type RecorderOptions, recorderDefaults } from "./recorder-options.js";
import { RecordingWriter } from "./recording-writer.js";

/** A message on its way into a recording. */
export interface RecordedDetails {
  /** Its JSON text as it was on the wire: recorded as it is, when nothing in it has to be hidden. */
  readonly text?: string;
  /** Its size on the wire. */
  readonly bytes?: number;
  /** What its JSON text begins with, where it was too large to be parsed: the secrets in it are hidden in what follows. */
  readonly beginning?: string;
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
  /** It hides secrets itself, and has to see them to find them again elsewhere: a connection gives it messages as they are. */
  readonly redacts?: true;
  /** Why recording has stopped, where the sink failed; `undefined` while everything is recorded. */
  readonly failure: Error | undefined;
  /** Says what was left out, and closes the sink. What is recorded afterwards is lost. Idempotent; never rejects. */
  close(): Promise<void>;
}

/**
 * Records a conversation as JSON Lines, each line written when it happens, so that a crash costs nothing but what came after it.
 *
 * Secrets are hidden unless asked otherwise, and then in all that follows: what was in an `env` is not in the standard error either. Whatever was
 * hidden or left out is said in the recording. One recorder is for one connection.
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
  const hide = secrets ? unredacted : redactedBy(options.redactor ?? createRedactor());
  /** What of a text is looked at: more than is kept, as hiding secrets makes it shorter or longer. */
  const headOf = (text: string): string => text.slice(0, 2 * maxTextBytes);

  /** The text of a message as it was on the wire says more than its value: how numbers were written, and members that came twice. */
  const isVerbatim = (text: string, value: unknown): boolean =>
    JSON.stringify(value) === text || (fileContents && hide.value(text) === text);

  const message = (from: Side, value: unknown, { text, bytes, beginning }: RecordedDetails = {}): void =>
    writer.guard(now, () => {
      const method = requests.methodOf(from, value);
      const size = bytes === undefined || bytes === 0 ? {} : { bytes };
      if (beginning !== undefined) hide.value(beginning.slice(0, MAX_BEGINNING));
      const open = hide.value(value);
      const leaveOut = (): void => {
        write({ t: now(), kind: "message", from, ...size, leftOut: true, message: outlineOf(open) });
        writer.leftOut += 1;
      };
      if (beginning !== undefined || !isRecordable(value)) {
        leaveOut();
        return;
      }
      const shown = fileContents ? open : redactFileContents(open, method);
      const isAsItWas = shown === value && text !== undefined && isVerbatim(text, value);
      const json = (isAsItWas ? text : JSON.stringify(shown)) ?? "null";
      if (json.length > maxMessageBytes || (bytes ?? 0) > maxMessageBytes) {
        leaveOut();
      } else {
        const t = now();
        const head = JSON.stringify({ t, kind: "message", from, ...size });
        writer.write({ t, kind: "message", from, message: shown }, `${head.slice(0, -1)},"message":${json}}`);
      }
      const peers = requests.peers(from, value);
      if (peers !== undefined) write({ t: now(), kind: "peers", ...(hide.value(peers) as object) });
    });

  const noise = (from: Side, text: string, bytes?: number): void =>
    writer.guard(now, () => {
      const shown = hide.noise(from, headOf(text)).slice(0, maxTextBytes);
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
    ...(!secrets && { redacts: { value: true } }),
    message: { value: message },
    noise: { value: noise },
    stderr: {
      value: (line: string) =>
        writer.guard(now, () => {
          const text = hide.stderr(headOf(line)).slice(0, maxTextBytes);
          const cut = line.length > maxTextBytes;
          write({ t: now(), kind: "stderr", text, ...(cut && { cut }) });
        }),
    },
    process: {
      value: (event: ProcessEvent) =>
        writer.guard(now, () => write({ t: now(), kind: "process", ...hide.process(event) })),
    },
    note: {
      value: (text: string, data?: unknown) =>
        writer.guard(now, () => {
          const shown = isRecordable(data) ? hide.value(data) : null;
          write({ t: now(), kind: "note", text: hide.text(text), ...(data !== undefined && { data: shown }) });
        }),
    },
    failure: { get: () => writer.failure },
    stats: { get: () => writer.stats },
    close: { value: () => writer.close(now()) },
  }) as Recorder;
}

/** How much of a message that can't be parsed is searched for secrets. */
const MAX_BEGINNING = 1_048_576;

const platformClock = { now: (): number => performance.now(), date: (): Date => new Date() };
