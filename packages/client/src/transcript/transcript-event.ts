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

/** The event of a transcript for a `session/update` of the agent. */
export interface UpdateEvent {
  readonly type: "update";
  readonly update: IncomingSessionUpdate;
}

/** The event of a transcript when the session was created, loaded or resumed. */
export interface SessionOpenedEvent {
  readonly type: "session_opened";
  readonly sessionId?: string;
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

/** The event of a transcript when the client sends a prompt and a turn begins. */
export interface PromptSentEvent {
  readonly type: "prompt_sent";
  readonly prompt: readonly IncomingContentBlock[];
}

/**
 * The event of a transcript when a turn has ended. Updates after this event don't belong to the turn.
 *
 * The event may be applied twice, first without and later with the stop reason, because updates that follow the
 * response can be handled before the code that awaits the response.
 */
export interface TurnEndedEvent {
  readonly type: "turn_ended";
  readonly stopReason?: StopReason;
  readonly error?: { readonly message: string; readonly code?: number | string };
  /** The response to the prompt, whose `usage` and `_meta` may contain token counts. */
  readonly response?: object;
}

/** The event of a transcript when the agent requests permission for a tool call. */
export interface PermissionAskedEvent {
  readonly type: "permission_asked";
  /** A string that distinguishes this permission request from others of the session. */
  readonly requestId: string;
  readonly toolCall: IncomingToolCallUpdate;
  readonly options: readonly PermissionOption[];
}

/** The event of a transcript when a permission request has got its response. */
export interface PermissionAnsweredEvent {
  readonly type: "permission_answered";
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: RequestPermissionOutcome;
}

/**
 * The event of a transcript when the session begins to load: the next updates are its whole history. The transcript
 * keeps its previous entries until the history is complete.
 */
export interface ReplayBeganEvent {
  readonly type: "replay_began";
}

/** The event of a transcript when the history is complete, or when the load failed and the previous entries are restored. */
export interface ReplayEndedEvent {
  readonly type: "replay_ended";
  readonly failed?: boolean;
}

/** The event of a transcript when one of the client's terminals changes. Terminals that an agent runs itself are part of updates instead. */
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

/** An event that changes a transcript. */
export type TranscriptEvent =
  | UpdateEvent
  | SessionOpenedEvent
  | PromptSentEvent
  | TurnEndedEvent
  | PermissionAskedEvent
  | PermissionAnsweredEvent
  | ReplayBeganEvent
  | ReplayEndedEvent
  | TerminalEvent;
