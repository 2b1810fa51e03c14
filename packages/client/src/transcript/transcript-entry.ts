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

/** What all entries of a transcript have. */
interface EntryBase {
  /** Names the entry for as long as it exists: entries are appended, never moved. Fit for a list's `key`. */
  readonly key: string;
  /** The turn it belongs to, an index of `turns`; absent outside of turns. */
  readonly turn?: number;
  /** It is history, told again when the session was loaded. */
  readonly replayed?: true;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What was said: chunks of one message, joined. */
export interface MessageEntry extends EntryBase {
  /** Who said it; `thought` is what the agent thinks aloud. */
  readonly type: "user_message" | "agent_message" | "thought";
  /** The agent's name for the message, where it has one. */
  readonly messageId?: string;
  /** The message block by block. Text that came in chunks is one block. */
  readonly content: readonly IncomingContentBlock[];
  /** The text of all its text blocks. */
  readonly text: string;
}

/** Whether the user was asked about a tool call, and what came of it. */
export interface PermissionState {
  /** Tells requests about the same call apart. */
  readonly requestId: string;
  readonly state: "asked" | "answered";
  readonly options: readonly PermissionOption[];
  /** The answer. */
  readonly outcome?: RequestPermissionOutcome;
  /** The option that was chosen. */
  readonly chosen?: PermissionOption;
}

/** What the agent does with a tool: the sum of everything that was told about the call. */
export interface ToolCallEntry extends EntryBase {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /** `""` as long as nobody has told it: updates and permission requests may come before the call. */
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
  /** The terminals it has shown; what they say is in `terminals` of the snapshot. */
  readonly terminalIds: readonly string[];
  /** The turn ended and nobody said what became of it: show it as stopped, whatever its `status`. */
  readonly unfinished?: true;
}

/** What the agent intends to do. Later plans replace it, until the user says something new. */
export interface PlanTranscriptEntry extends EntryBase {
  readonly type: "plan";
  readonly entries: readonly PlanEntry[];
}

/** Something the user should know. Nothing follows from it, whatever its severity. */
export interface NoticeEntry extends EntryBase {
  readonly type: "notice";
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly description?: string;
}

/** The agent summarised the conversation, to make room. */
export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: CompactionStatus;
  readonly summary: readonly IncomingContentBlock[];
  readonly error?: string;
}

/** An update of a kind that this version does not know, as it came. */
export interface UnknownEntry extends EntryBase {
  readonly type: "unknown";
  readonly update: UnknownVariant<"sessionUpdate">;
}

/** One thing in the order in which it first came. */
export type TranscriptEntry =
  | MessageEntry
  | ToolCallEntry
  | PlanTranscriptEntry
  | NoticeEntry
  | CompactionEntry
  | UnknownEntry;
