import type {
  IncomingContentBlock,
  IncomingSessionConfigOption,
  IncomingSessionUpdate,
  IncomingToolCallUpdate,
  PermissionOption,
  RequestPermissionOutcome,
  SessionModeState,
  StopReason,
} from "@acp-kit/types";

/** The event that applies an update of the agent (`session/update`) to a transcript. */
export interface UpdateEvent {
  readonly type: "update";
  readonly update: IncomingSessionUpdate;
}

/** The event for a session that was created, loaded or resumed. */
export interface SessionOpenedEvent {
  readonly type: "session_opened";
  readonly sessionId?: string;
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

/** The event for a prompt that the client sends, which begins a turn. */
export interface PromptSentEvent {
  readonly type: "prompt_sent";
  readonly prompt: readonly IncomingContentBlock[];
  /** The agent's id of the user message, if known. */
  readonly messageId?: string;
}

/**
 * The event for prompts that were sent, but that the agent has not added to the conversation yet. It has all of these
 * prompts, and replaces the previous list. When the agent adds one, apply {@link PromptSentEvent}.
 */
export interface PromptsSendingEvent {
  readonly type: "prompts_sending";
  readonly prompts: readonly (readonly IncomingContentBlock[])[];
}

/**
 * The event for a turn that this client did not start: the agent has begun it, or was running it when the client opened
 * the session. At most one such turn runs at a time.
 */
export interface TurnJoinedEvent {
  readonly type: "turn_joined";
  /** `agent` if the agent began the work by itself, without a prompt of any client. */
  readonly origin?: "agent";
}

/**
 * The event for the end of a turn. Updates after this event don't belong to the turn.
 *
 * Apply the event as soon as the response has arrived, without a stop reason if it is not known yet. Then apply the
 * event again with the stop reason or the error. Code that awaits the response runs later: if only that code applied
 * the event, updates that arrive after the response could be counted as part of the turn.
 */
export interface TurnEndedEvent {
  readonly type: "turn_ended";
  /** Whether this is the end of the turn that {@link TurnJoinedEvent} has begun. */
  readonly joined?: true;
  readonly stopReason?: StopReason | (string & {});
  readonly error?: { readonly message: string; readonly code?: number | string };
  /** The response to the prompt. The transcript reads token counts from its `usage` and `_meta`. */
  readonly response?: object;
}

/**
 * The event for a turn that the user cancels. The turn runs until the agent responds, which may take long. The open
 * tool calls are marked as unfinished at once; an update with a status removes the mark.
 */
export interface TurnCancelledEvent {
  readonly type: "turn_cancelled";
}

/** The event for a permission request of the agent. */
export interface PermissionRequestedEvent {
  readonly type: "permission_requested";
  /** The id of the permission request, unique in the session. */
  readonly requestId: string;
  readonly toolCall: IncomingToolCallUpdate;
  readonly options: readonly PermissionOption[];
}

/** The event for the client's response to a permission request. */
export interface PermissionDecidedEvent {
  readonly type: "permission_decided";
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: RequestPermissionOutcome;
}

/**
 * The event for the start of `session/load`: the next updates are the whole history of the session. The transcript
 * keeps its previous entries, in case the load fails.
 */
export interface ReplayBeganEvent {
  readonly type: "replay_began";
}

/** The event for the end of `session/load`. If the load `failed`, the transcript restores its previous entries. */
export interface ReplayEndedEvent {
  readonly type: "replay_ended";
  readonly failed?: boolean;
  /**
   * Whether the last turn of the history still runs and this client did not start it. The turn then continues, as after
   * {@link TurnJoinedEvent}.
   */
  readonly running?: boolean;
}

/**
 * The event for a change of a terminal that the client runs. Agents report the terminals that they run themselves in
 * updates.
 */
export interface TerminalEvent {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  /** All output of the terminal so far. */
  readonly output?: string;
  /** Further output of the terminal. */
  readonly data?: string;
  readonly truncated?: boolean;
  readonly exit?: { readonly exitCode?: number | null; readonly signal?: string | null };
  readonly released?: true;
}

/** The event for an event of a child session that the agent has announced. */
export interface ChildEvent {
  readonly type: "child";
  readonly sessionId: string;
  readonly event: Exclude<TranscriptEvent, ChildEvent>;
}

/** An event that changes a transcript. */
export type TranscriptEvent =
  | UpdateEvent
  | SessionOpenedEvent
  | PromptSentEvent
  | PromptsSendingEvent
  | TurnJoinedEvent
  | TurnCancelledEvent
  | TurnEndedEvent
  | PermissionRequestedEvent
  | PermissionDecidedEvent
  | ReplayBeganEvent
  | ReplayEndedEvent
  | TerminalEvent
  | ChildEvent;
