import type { TapEvent } from "@acp-kit/jsonrpc";
import { checkOptions, limitsAmong, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { createRedactor } from "@acp-kit/redact";
import { utf8Length } from "../utf8-length.js";
import { redactedBy, unredacted } from "./entry-redaction.js";
import { redactFileContents, redactFileContentsOfNoise } from "./file-contents.js";
import { otherSide, type ProcessEvent, RECORDING_VERSION, type RecordingEntry, type Side } from "./format.js";
import { OpenRequests } from "./open-requests.js";
import { outlineOf } from "./outline.js";
import { isRecordable } from "./recordable.js";
import { MAX_TEXT_CHARS, type RecorderOptions, recorderDefaults } from "./recorder-options.js";
import { RecordingWriter } from "./recording-writer.js";

/** Details of a message that is recorded. */
export interface RecordedDetails {
  /** The JSON text of the message as on the wire. The recorder writes this text unchanged if it contains no secret. */
  readonly text?: string;
  /** The size of the message on the wire, in bytes. */
  readonly bytes?: number;
  /**
   * The prefix of the JSON text, if the message was too large to be parsed. The prefix is not recorded, but the
   * recorder searches it for secrets, and hides them in later entries.
   */
  readonly beginning?: string;
}

/** The size of a recording, and the amount that was left out. */
export interface RecorderStats {
  readonly entries: number;
  readonly bytes: number;
  /** The number of messages without contents, and of entries left out of a full recording. */
  readonly leftOut: number;
}

/**
 * Records the messages of one connection. A recorder is a `Tap`: pass it to `connectAgent`, `createAgent` or a
 * connection of `@acp-kit/jsonrpc`. Its methods record events that a tap doesn't see, and never throw.
 */
export interface Recorder {
  (event: TapEvent): void;
  message(from: Side, message: unknown, details?: RecordedDetails): void;
  /** Records input that is not JSON. Pass its size as `bytes` if `text` is only its beginning. */
  noise(from: Side, text: string, bytes?: number): void;
  /** Records a line of the agent's standard error; pass it as `onStderr` to `spawnAgent`. */
  stderr(line: string): void;
  process(event: ProcessEvent): void;
  /** Records a remark for readers of the recording. */
  note(text: string, data?: unknown): void;
  readonly stats: RecorderStats;
  /** Whether this tap hides secrets itself. The connection then passes the messages to the tap with their secrets. */
  readonly redacts?: true;
  /** The error that stopped the recording, if writing failed; `undefined` while the recording continues. */
  readonly failure: Error | undefined;
  /**
   * Records how many entries and bytes were left out, and closes the sink. Entries after this call are lost. A second
   * call has no effect, and the returned promise never rejects.
   */
  close(): Promise<void>;
}

/**
 * Creates a recorder that writes a conversation as JSON Lines. Each line is written immediately, so that a crash loses
 * no earlier line.
 *
 * By default, the recorder hides secrets, and every later occurrence of the same secret: for example, a value of `env`
 * is also hidden in standard error. The recording states what was hidden or left out. Use a separate recorder for each
 * connection.
 *
 * @throws {TypeError} when a limit is `NaN` or negative.
 * @example
 * ```ts
 * const tape = recorder({ in: "client", sink: openRecordingFile("session.jsonl") });
 * await using agent = await connectAgent(spawnAgent({ command, onStderr: tape.stderr }), { tap: tape });
 * ```
 */
export function recorder(options: RecorderOptions): Recorder {
  checkOptions("recorder", options, optionKinds);
  return recorderWith(options);
}

/** Does the same as {@link recorder}, with a limit of texts that tests choose. */
export function recorderWith(options: RecorderOptions, maxTextChars: number = MAX_TEXT_CHARS): Recorder {
  const { in: place, clock = platformClock, secrets = false, fileContents = true } = options;
  const { maxMessageBytes, maxRecordingBytes } = limitsAmong("options", recorderDefaults, options);
  const start = clock.now();
  const writer = new RecordingWriter({ ...options, maxRecordingBytes });
  const requests = new OpenRequests();
  const now = (): number => Math.round((clock.now() - start) * 1000) / 1000;
  const write = (entry: RecordingEntry): void => writer.write(entry, JSON.stringify(entry));
  const hide = secrets ? unredacted : redactedBy(options.redactor ?? createRedactor());
  /** Returns the text that is searched for secrets: more than is recorded, as hiding changes the length. */
  const headOf = (text: string): string => text.slice(0, 2 * maxTextChars);

  /**
   * Returns whether the text can be recorded unchanged. Parsing can drop a part of it (of two members with the same
   * name, `JSON.parse` keeps the second). That part must not contain a secret or file contents that the recorder has to
   * hide, not even with characters that are escaped although they need not be.
   */
  const isVerbatim = (text: string, value: unknown): boolean => {
    if (JSON.stringify(value) === text) return true;
    if (!fileContents || hide.value(text) !== text) return false;
    const plain = withoutEscapes(text);
    return plain === text || hide.value(plain) === plain;
  };

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
      if (isLarger(json, maxMessageBytes) || (bytes ?? 0) > maxMessageBytes) {
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
      const head = hide.noise(from, headOf(text)).slice(0, maxTextChars);
      const shown = fileContents ? head : redactFileContentsOfNoise(head);
      const isBeginning = bytes !== undefined && bytes > utf8Length(text) + MAX_OMITTED;
      const cut = text.length > maxTextChars || isBeginning;
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
          const text = hide.stderr(headOf(line)).slice(0, maxTextChars);
          const cut = line.length > maxTextChars;
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

const optionKinds: OptionKinds<RecorderOptions> = {
  sink: "value!",
  in: ["client", "agent", "between"],
  secrets: "value",
  redactor: "value",
  fileContents: "value",
  maxMessageBytes: "value",
  maxRecordingBytes: "value",
  recorder: "value",
  clock: "value",
  onError: "function",
};

/** Returns whether a text has more than `maxBytes` bytes in UTF-8. Bytes are counted only if that is not obvious. */
function isLarger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes || text.length * 3 <= maxBytes) return text.length > maxBytes;
  return utf8Length(text) > maxBytes;
}

/** The length of the prefix of an unparsed message that is searched for secrets, in characters. */
const MAX_BEGINNING = 1_048_576;

/** The maximum number of bytes of a line that its text need not contain: the line end, and a byte order mark. */
const MAX_OMITTED = 5;

/** Returns a JSON text with each slash, and each character that is escaped by its code, as itself. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|\/)/g, (_, code?: string) =>
    code === undefined ? "/" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const platformClock = { now: (): number => performance.now(), date: (): Date => new Date() };
