import type { Redactor } from "@acp-kit/redact";
import type { Side } from "./format.js";
import type { RecordingSink } from "./sink.js";

/** The default of every limit of a recorder. */
export const recorderDefaults = {
  /** The default of `maxMessageBytes`: 8 MiB. */
  maxMessageBytes: 8_388_608,
  /** The default of `maxRecordingBytes`: 256 MiB. */
  maxRecordingBytes: 268_435_456,
} as const;

/** The maximum number of characters of a line of standard error or of input that is not JSON; a longer line is cut. */
export const MAX_TEXT_CHARS = 65_536;

/** Options of a recorder. {@link recorderDefaults} has the default of each limit. */
export interface RecorderOptions {
  readonly sink: RecordingSink;
  /** Where the recorder runs, in the client, in the agent or between them: so it knows who sent a message. */
  readonly in: Side | "between";
  /**
   * Whether to record secrets: values of `env` and `headers`, and tokens. To record the secrets of a connection, also
   * set its option `tapSecrets`; otherwise the connection hides secrets from its tap.
   */
  readonly secrets?: boolean;
  /**
   * The redactor: the object that finds, hides and remembers secrets. By default, the recorder creates one for itself.
   * If other code shows or logs the same connection, pass the redactor of that code.
   */
  readonly redactor?: Redactor;
  /** Whether to record file contents: text, diffs, embedded resources, terminal output. The default is `true`. */
  readonly fileContents?: boolean;
  /** The maximum size of a message in bytes; a larger message is recorded without its contents. */
  readonly maxMessageBytes?: number;
  /** The maximum size in bytes. After that, only process events, and what is left out, are recorded. */
  readonly maxRecordingBytes?: number;
  /** The name of the program that records, for the header. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** The clock of the recording. By default, the recorder uses the clocks of the platform. */
  readonly clock?: RecorderClock;
  /** Writing to the sink has failed. The recording stops (see `failure`), the connection continues. */
  readonly onError?: (error: unknown) => void;
}

/** The clock of a recorder. */
export interface RecorderClock {
  /** Returns the time in milliseconds on a monotonic clock. */
  now(): number;
  /** Returns the current date, for the header. */
  date(): Date;
}
