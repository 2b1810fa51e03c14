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

/** What is recorded, and where to. Every limit has a default in {@link recorderDefaults}. */
export interface RecorderOptions {
  readonly sink: RecordingSink;
  /** Where it stands: in the client (what is sent is the client's), in the agent, or between the two. */
  readonly in: Side | "between";
  /** Let secrets be seen: `env`, `headers`, tokens. A connection that is tapped hides its own then; see its `tapSecrets`. */
  readonly secrets?: boolean;
  /** Hides secrets, and remembers them. Default: one for this recorder. Share one with what else shows or logs this connection. */
  readonly redactor?: Redactor;
  /** Record what is in files: what is read and written, diffs, embedded resources, terminal output. Default `true`. */
  readonly fileContents?: boolean;
  /** A larger message is recorded without its contents. */
  readonly maxMessageBytes?: number;
  /** After that much, only what happens to the process is recorded, and how much was left out. */
  readonly maxRecordingBytes?: number;
  /** A longer line of standard error, or a longer piece of noise, is cut. */
  readonly maxTextBytes?: number;
  /** The program that records, for the header. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** Where time comes from. Default: this platform's clocks. */
  readonly clock?: RecorderClock;
  /** The sink failed. Recording has stopped then (see `failure` of the recorder); the connection goes on. */
  readonly onError?: (error: unknown) => void;
}

/** Where a recorder's time comes from. */
export interface RecorderClock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** The date, once, for the header. */
  date(): Date;
}
