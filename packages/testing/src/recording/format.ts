import type { RequestId } from "@acp-kit/jsonrpc";
import type { Side } from "../wire-message.js";

export { otherSide, type Side } from "../wire-message.js";

/** The version of the format that is written. A reader refuses a higher one, and skips unknown kinds of lines. */
export const RECORDING_VERSION = 1;

/** The name of one side: its `clientInfo` or `agentInfo`. */
export interface PeerInfo {
  readonly name: string;
  readonly title?: string | null;
  readonly version: string;
}

/**
 * The first line of a recording.
 *
 * A recording is JSON Lines: this header, then one {@link RecordingEntry} per line, in order of time. The file may end
 * anywhere, also inside a line.
 */
export interface RecordingHeader {
  /** Identifies the file type, and the version of its format. */
  readonly acpRecording: number;
  /** The start of every `t`, on a clock that never goes back. An ISO 8601 date. */
  readonly startedAt: string;
  /** Where it was recorded: in the client, in the agent, or between the two. */
  readonly recordedIn: Side | "between";
  /** The program that recorded it. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** The data hidden before it was written. */
  readonly redacted: { readonly secrets: boolean; readonly fileContents: boolean };
}

/** Members of all lines after the header. */
interface Line {
  /** Milliseconds since {@link RecordingHeader.startedAt}. */
  readonly t: number;
}

/** One JSON-RPC message, or another JSON value that came in its place. */
export interface WireMessageEntry extends Line {
  readonly kind: "message";
  readonly from: Side;
  readonly message: unknown;
  /** Its size on the wire, if it had one. */
  readonly bytes?: number;
  /** The message was larger than the recorder's limit, or nested too deep: of params, result and error only the session and the error's code are kept. */
  readonly leftOut?: true;
}

/** Input that was not JSON: a banner, a log line, garbage. */
export interface NoiseEntry extends Line {
  readonly kind: "noise";
  readonly from: Side;
  readonly text: string;
  readonly bytes?: number;
  /** `text` is only its prefix. */
  readonly cut?: true;
}

/** A line of the agent's standard error. */
export interface StderrEntry extends Line {
  readonly kind: "stderr";
  readonly text: string;
  readonly cut?: true;
}

/** An event of the agent's process. */
export type ProcessEvent =
  | { readonly event: "started"; readonly command?: readonly string[]; readonly pid?: number | undefined }
  | { readonly event: "failed"; readonly reason: string }
  /** A signal that was passed on to it. */
  | { readonly event: "signal"; readonly signal: string }
  /** The client closed its end: nothing more is sent to the agent. */
  | { readonly event: "input_ended" }
  /** The agent closed its end: nothing more comes from it. */
  | { readonly event: "output_ended" }
  | { readonly event: "exited"; readonly exitCode: number | null; readonly signal: string | null };

/** An event of the agent's process, and its time. */
export type ProcessEntry = Line & { readonly kind: "process" } & ProcessEvent;

/** The names and versions of the peers: written after the response to `initialize`. */
export interface PeersEntry extends Line {
  readonly kind: "peers";
  readonly protocolVersion?: number;
  readonly client?: PeerInfo;
  readonly agent?: PeerInfo;
}

/**
 * Part of the conversation is missing. `recording_full`: the recording had reached its limit, and only process events follow;
 * at the end a second such entry gives the amount left out. `not_recordable`: one entry could not be recorded, for the reason
 * in `message`; the recording continues.
 */
export interface LeftOutEntry extends Line {
  readonly kind: "left_out";
  readonly reason: "recording_full" | "not_recordable";
  readonly entries: number;
  readonly bytes: number;
  readonly message?: string;
}

/** A remark by the recording application. */
export interface NoteEntry extends Line {
  readonly kind: "note";
  readonly text: string;
  readonly data?: unknown;
}

/** One line of a recording. */
export type RecordingEntry =
  | WireMessageEntry
  | NoiseEntry
  | StderrEntry
  | ProcessEntry
  | PeersEntry
  | LeftOutEntry
  | NoteEntry;

/** A recording that was read. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly entries: readonly RecordingEntry[];
  /** Lines that could not be read; all others are in `entries`. */
  readonly problems: readonly RecordingProblem[];
}

/** A line that was skipped. */
export interface RecordingProblem {
  /** 1-based. */
  readonly line: number;
  /** `torn`: the last line was cut off while it was written. */
  readonly kind: "torn" | "not_json" | "unknown";
  readonly message: string;
}

/** The envelope of a recorded message, as far as it has one. */
export interface RecordedMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}
