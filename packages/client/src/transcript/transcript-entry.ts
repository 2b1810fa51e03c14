import type {
  CompactionStatus,
  IncomingContentBlock,
  IncomingToolCallContent,
  NoticeSeverity,
  PermissionOption,
  RequestPermissionOutcome,
  ToolCallLocation,
  UnknownVariant,
} from "@acp-kit/types";
import type { IncomingPlanUpdateContent, PlanEntry, ToolCallStatus, ToolKind } from "@acp-kit/types/v2";

/** The members that all entries of a transcript have. */
interface EntryBase {
  /** Identifies the entry, for example as the `key` in a list. Entries are only appended, never moved. */
  readonly key: string;
  /** The index in `turns` of the turn to which the entry belongs; absent for entries outside turns. */
  readonly turn?: number;
  /** `true` if the entry is history, which the agent replayed when the session was loaded. */
  readonly replayed?: true;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A message in a transcript, with its chunks joined. */
export interface MessageEntry extends EntryBase {
  /** The author of the message; `thought` is a thought of the agent. */
  readonly type: "user_message" | "agent_message" | "thought";
  /** The agent's id for the message, if it sent one. */
  readonly messageId?: string;
  /** The content blocks of the message. Text that arrived in several chunks is one block. */
  readonly content: readonly IncomingContentBlock[];
  /** The joined text of all text blocks of the message. */
  readonly text: string;
  /**
   * The session that sent the message, if it is a message between this session and another.
   *
   * @experimental
   */
  readonly sender?: string;
  /**
   * The session that received the message, if it is a message between this session and another.
   *
   * @experimental
   */
  readonly recipient?: string;
}

/** A permission request for a tool call, and its outcome. */
export interface PermissionState {
  /** The id of the permission request, because a tool call can have several of them. */
  readonly requestId: string;
  readonly state: "open" | "decided";
  readonly options: readonly PermissionOption[];
  /** The outcome of the permission request, once it is decided. */
  readonly outcome?: RequestPermissionOutcome;
  /** The option that the user or a rule chose. */
  readonly chosen?: PermissionOption;
}

/** A tool call in a transcript, with all its updates joined. */
export interface ToolCallEntry extends EntryBase {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /**
   * The title of the tool call; `""` until the agent sends it, because updates or permission requests can arrive first.
   */
  readonly title: string;
  /**
   * The name of the tool that the tool call uses. Show `title` to the user instead. The name does not prove what the
   * tool call does.
   */
  readonly name?: string;
  readonly kind: ToolKind;
  /**
   * The status of the tool call. Only version 2 of the protocol has `paused` and `cancelled`. There, an agent can send
   * any string; show an unknown status as in progress.
   */
  readonly status: ToolCallStatus;
  readonly content: readonly IncomingToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The latest permission request for the tool call. */
  readonly permission?: PermissionState;
  /** The ids of the terminals that the tool call has shown. Their output is in `terminals` of the snapshot. */
  readonly terminalIds: readonly string[];
  /**
   * `true` if the turn ended, or was cancelled, before the tool call ended. Show such a tool call as stopped, whatever
   * its `status`.
   */
  readonly unfinished?: true;
  /** Whether the client can cancel this tool call alone. Only agents of version 2 offer that. */
  readonly canCancel?: true;
}

/**
 * A plan of the agent in a transcript. A later plan replaces the entry, but a plan that arrives after the next user
 * message becomes a new entry.
 */
export interface PlanTranscriptEntry extends EntryBase {
  readonly type: "plan";
  /** The id of the plan; absent in version 1 of the protocol, where a session has one plan. */
  readonly planId?: string;
  /** The entries of the plan; none if the agent has removed the plan, or if the plan is of another type. */
  readonly entries: readonly PlanEntry[];
  /** A plan of another type than a list of entries, such as Markdown, as the agent sent it. */
  readonly other?: IncomingPlanUpdateContent;
}

/** A notice for the user in a transcript. A notice only informs: even one of severity `error` doesn't end the turn. */
export interface NoticeEntry extends EntryBase {
  readonly type: "notice";
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly description?: string;
}

/** A compaction in a transcript: the agent summarises the conversation to free context. */
export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: CompactionStatus;
  readonly summary: readonly IncomingContentBlock[];
  readonly error?: string;
}

/** An update that this version of the library does not know, unchanged. */
export interface UnknownEntry extends EntryBase {
  readonly type: "unknown";
  readonly update: UnknownVariant<"sessionUpdate">;
}

/** An entry of a transcript. Entries are in the order of their first updates. */
export type TranscriptEntry =
  | MessageEntry
  | ToolCallEntry
  | PlanTranscriptEntry
  | NoticeEntry
  | CompactionEntry
  | UnknownEntry;
