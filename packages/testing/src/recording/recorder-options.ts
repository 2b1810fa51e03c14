import type { Redactor } from "@acp-kit/redact";
import type { Side } from "./format.js";
import type { RecordingSink } from "./sink.js";

/** The named defaults of every limit of a recorder. */
export const recorderDefaults = {
  /** 8 MiB. */
  maxMessageBytes: 8_388_608,
  /** 256 MiB. */
  maxRecordingBytes: 268_435_456,
  /** 64 KiB. */
  maxTextBytes: 65_536,
} as const;

/** Options of a recorder. Every limit has a default in {@link recorderDefaults}. */
export interface RecorderOptions {
  readonly sink: RecordingSink;
  /** Its position: in the client (sent messages are the client's), in the agent, or between the two. */
  readonly in: Side | "between";
  /** Show secrets: `env`, `headers`, tokens. A tapped connection hides its own secrets then; see its `tapSecrets`. */
  readonly secrets?: boolean;
  /** Hides secrets, and remembers them. Default: a separate one. Share one with other code that shows or logs this connection. */
  readonly redactor?: Redactor;
  /** Record file contents: text read and written, diffs, embedded resources, terminal output. Default `true`. */
  readonly fileContents?: boolean;
  /** A larger message is recorded without its contents. */
  readonly maxMessageBytes?: number;
  /** Above this size, only process events are recorded, and the amount left out. */
  readonly maxRecordingBytes?: number;
  /** A longer line of standard error, or a longer piece of noise, is cut. */
  readonly maxTextBytes?: number;
  /** The recording program, for the header. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** The time source. Default: this platform's clocks. */
  readonly clock?: RecorderClock;
  /** Called when the sink failed. Recording has stopped then (see `failure` of the recorder); the connection continues. */
  readonly onError?: (error: unknown) => void;
}

/** The time source of a recorder. */
export interface RecorderClock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** The date, once, for the header. */
  date(): Date;
}
