import type {
  CompactionStatus,
  IncomingContentBlock,
  IncomingToolCallContent,
  NoticeSeverity,
  PermissionOption,
  PlanEntry,
  RequestPermissionOutcome,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
  UnknownVariant,
} from "@acp-kit/types";

/** Members of all entries of a transcript. */
interface EntryBase {
  /** Identifies the entry: entries are appended, never moved. Fit for a list's `key`. */
  readonly key: string;
  /** The turn it belongs to, an index of `turns`; absent outside of turns. */
  readonly turn?: number;
  /** It is history, replayed when the session was loaded. */
  readonly replayed?: true;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A message: its chunks, joined. */
export interface MessageEntry extends EntryBase {
  /** The author; `thought` is a thought of the agent. */
  readonly type: "user_message" | "agent_message" | "thought";
  /** The agent's id for the message, if it sent one. */
  readonly messageId?: string;
  /** The blocks of the message. Text that arrived in chunks is one block. */
  readonly content: readonly IncomingContentBlock[];
  /** The text of all its text blocks. */
  readonly text: string;
}

/** A permission request about a tool call, and its outcome. */
export interface PermissionState {
  /** Distinguishes requests about the same call. */
  readonly requestId: string;
  readonly state: "asked" | "answered";
  readonly options: readonly PermissionOption[];
  /** The outcome, once there is one. */
  readonly outcome?: RequestPermissionOutcome;
  /** The option that was chosen. */
  readonly chosen?: PermissionOption;
}

/** A tool call: all its updates, joined. */
export interface ToolCallEntry extends EntryBase {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /** `""` until the agent sends it: updates and permission requests may arrive before the call. */
  readonly title: string;
  /** The name of the tool. It grants nothing: show `title`. */
  readonly name?: string;
  readonly kind: ToolKind;
  readonly status: ToolCallStatus;
  readonly content: readonly IncomingToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The latest request for permission. */
  readonly permission?: PermissionState;
  /** The terminals that it has shown; their output is in `terminals` of the snapshot. */
  readonly terminalIds: readonly string[];
  /** The turn ended before the call did: show it as stopped, whatever its `status`. */
  readonly unfinished?: true;
}

/** A plan of the agent. Later plans replace it, until the next user message. */
export interface PlanTranscriptEntry extends EntryBase {
  readonly type: "plan";
  readonly entries: readonly PlanEntry[];
}

/** A notice for the user. It has no effect, whatever its severity. */
export interface NoticeEntry extends EntryBase {
  readonly type: "notice";
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly description?: string;
}

/** A compaction: the agent summarises the conversation to free context. */
export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: CompactionStatus;
  readonly summary: readonly IncomingContentBlock[];
  readonly error?: string;
}

/** An update of a kind that this version does not know, as it arrived. */
export interface UnknownEntry extends EntryBase {
  readonly type: "unknown";
  readonly update: UnknownVariant<"sessionUpdate">;
}

/** An entry of the transcript, in the order of its first update. */
export type TranscriptEntry =
  | MessageEntry
  | ToolCallEntry
  | PlanTranscriptEntry
  | NoticeEntry
  | CompactionEntry
  | UnknownEntry;
