import type { RequestId } from "@acp-kit/jsonrpc";
import type { Side } from "../wire-message.js";

export { otherSide, type Side } from "../wire-message.js";

/** The version of the format that is written. A reader refuses a higher one, and reads past kinds of lines that it doesn't know. */
export const RECORDING_VERSION = 1;

/** What one side is called: its `clientInfo` or `agentInfo`. */
export interface PeerInfo {
  readonly name: string;
  readonly title?: string | null;
  readonly version: string;
}

/**
 * The first line of a recording.
 *
 * A recording is JSON Lines: this header, then one {@link RecordingEntry} per line, in the order in which things happened. The file
 * may end anywhere, also inside of a line.
 */
export interface RecordingHeader {
  /** Says what the file is, and the version of its format. */
  readonly acpRecording: number;
  /** Every `t` counts milliseconds from here, on a clock that never goes back. An ISO 8601 date. */
  readonly startedAt: string;
  /** Where it was recorded: in the client, in the agent, or between the two. */
  readonly recordedIn: Side | "between";
  /** The program that recorded it. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** What was hidden before it was written. */
  readonly redacted: { readonly secrets: boolean; readonly fileContents: boolean };
}

/** What all lines below the header have. */
interface Line {
  /** Milliseconds since {@link RecordingHeader.startedAt}. */
  readonly t: number;
}

/** One JSON-RPC message, or whatever JSON value came in its place. */
export interface WireMessageEntry extends Line {
  readonly kind: "message";
  readonly from: Side;
  readonly message: unknown;
  /** Its size on the wire, where it had one. */
  readonly bytes?: number;
  /** The message was larger than the recorder's bound, or nested deeper than can be read: of params, result and error only the session and the error's code are left. */
  readonly leftOut?: true;
}

/** Input that was no JSON: a banner, a log line, garbage. */
export interface NoiseEntry extends Line {
  readonly kind: "noise";
  readonly from: Side;
  readonly text: string;
  readonly bytes?: number;
  /** `text` is only its beginning. */
  readonly cut?: true;
}

/** A line of the agent's standard error. */
export interface StderrEntry extends Line {
  readonly kind: "stderr";
  readonly text: string;
  readonly cut?: true;
}

/** What happened to the agent's process. */
export type ProcessEvent =
  | { readonly event: "started"; readonly command?: readonly string[]; readonly pid?: number | undefined }
  | { readonly event: "failed"; readonly reason: string }
  /** A signal that was handed on to it. */
  | { readonly event: "signal"; readonly signal: string }
  /** The client closed its end: nothing more goes to the agent. */
  | { readonly event: "input_ended" }
  /** The agent closed its end: nothing more comes from it. */
  | { readonly event: "output_ended" }
  | { readonly event: "exited"; readonly exitCode: number | null; readonly signal: string | null };

/** What happened to the agent's process, and when. */
export type ProcessEntry = Line & { readonly kind: "process" } & ProcessEvent;

/** Who is talking, in which version: written when `initialize` was answered. */
export interface PeersEntry extends Line {
  readonly kind: "peers";
  readonly protocolVersion?: number;
  readonly client?: PeerInfo;
  readonly agent?: PeerInfo;
}

/**
 * Something is missing. `recording_full`: the recording had reached its bound, and nothing follows but what happens to the process; at its end a
 * second one tells how much that was. `not_recordable`: one entry could not be recorded, for the reason in `message`; the recording goes on.
 */
export interface LeftOutEntry extends Line {
  readonly kind: "left_out";
  readonly reason: "recording_full" | "not_recordable";
  readonly entries: number;
  readonly bytes: number;
  readonly message?: string;
}

/** A remark of whoever recorded. */
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
  /** Lines that could not be read; the rest is there. */
  readonly problems: readonly RecordingProblem[];
}

/** A line that was read past. */
export interface RecordingProblem {
  /** 1-based. */
  readonly line: number;
  /** `torn`: the last line, cut in the middle of writing. */
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
