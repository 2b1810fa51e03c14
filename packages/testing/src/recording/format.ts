import type { RequestId } from "@acp-kit/jsonrpc";
import type { Side } from "../wire-message.js";

export { otherSide, type Side } from "../wire-message.js";

/** The version of the recording format. The reader refuses a higher one, and skips unknown kinds of lines. */
export const RECORDING_VERSION = 1;

/** The name and version of one peer: its `clientInfo` or `agentInfo`. */
export interface PeerInfo {
  readonly name: string;
  readonly title?: string | null;
  readonly version: string;
}

/**
 * The first line of a recording.
 *
 * A recording is a file in the format JSON Lines: this header, then one {@link RecordingEntry} per line, in order of
 * time. The file may end at any byte, even inside a line, because the program that wrote it can crash.
 */
export interface RecordingHeader {
  /** Identifies the file as a recording, with the version of its format. */
  readonly acpRecording: number;
  /** When the recording started, as an ISO 8601 date. Every `t` counts from it, on a monotonic clock. */
  readonly startedAt: string;
  /** Where the messages were recorded: in the client, in the agent, or between the two. */
  readonly recordedIn: Side | "between";
  /** The program that made the recording. */
  readonly recorder?: { readonly name: string; readonly version: string };
  /** Whether secrets and file contents were hidden before they were written. */
  readonly redacted: { readonly secrets: boolean; readonly fileContents: boolean };
}

interface Line {
  /** Milliseconds since {@link RecordingHeader.startedAt}. */
  readonly t: number;
}

/** An entry with one JSON-RPC message, or with another JSON value. */
export interface WireMessageEntry extends Line {
  readonly kind: "message";
  readonly from: Side;
  readonly message: unknown;
  /** The size of the message on the wire in bytes. Absent if the message was never serialized. */
  readonly bytes?: number;
  /**
   * Whether the message's contents were left out, because the message was larger than the recorder's limit or nested
   * too deep. Of its params, result and error, the recording then contains only the session id and the error code.
   */
  readonly leftOut?: true;
}

/** An entry with input that is not JSON, such as a banner or a log line. */
export interface NoiseEntry extends Line {
  readonly kind: "noise";
  readonly from: Side;
  readonly text: string;
  readonly bytes?: number;
  /** Whether `text` is only the beginning of the input. */
  readonly cut?: true;
}

/** An entry with a line of the agent's standard error. */
export interface StderrEntry extends Line {
  readonly kind: "stderr";
  readonly text: string;
  readonly cut?: true;
}

/** An event of the agent's process, such as its start or exit. */
export type ProcessEvent =
  | { readonly event: "started"; readonly command?: readonly string[]; readonly pid?: number | undefined }
  | { readonly event: "failed"; readonly reason: string }
  /** A signal was sent to the agent. */
  | { readonly event: "signal"; readonly signal: string }
  /** The client closed the agent's input: it sends no more messages. */
  | { readonly event: "input_ended" }
  /** The agent closed its output: it sends no more messages. */
  | { readonly event: "output_ended" }
  | { readonly event: "exited"; readonly exitCode: number | null; readonly signal: string | null };

/** An entry with an event of the agent's process. */
export type ProcessEntry = Line & { readonly kind: "process" } & ProcessEvent;

/** An entry with the names and versions of the peers, which is written after the response to `initialize`. */
export interface PeersEntry extends Line {
  readonly kind: "peers";
  readonly protocolVersion?: number;
  readonly client?: PeerInfo;
  readonly agent?: PeerInfo;
}

/**
 * An entry which states that a part of the conversation is missing. `recording_full`: the recording reached its size
 * limit, and only process events follow; a second entry of this kind at the end contains the number of entries and
 * bytes that were left out. `not_recordable`: one entry could not be recorded, for the reason in `message`; the
 * recording continues.
 */
export interface LeftOutEntry extends Line {
  readonly kind: "left_out";
  readonly reason: "recording_full" | "not_recordable";
  readonly entries: number;
  readonly bytes: number;
  readonly message?: string;
}

/** An entry with a remark by the application that made the recording. */
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

/** A recording, as `readRecording` returns it. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly entries: readonly RecordingEntry[];
  /** The lines of the recording that could not be read. `entries` contains all other lines. */
  readonly problems: readonly RecordingProblem[];
}

/** A line of a recording that was skipped. */
export interface RecordingProblem {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The kind of problem. `torn`: the last line is incomplete. */
  readonly kind: "torn" | "not_json" | "unknown";
  readonly message: string;
}

/** The JSON-RPC members of a recorded message. Every member is optional, because the message was not validated. */
export interface RecordedMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}
