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

/** A `session/update` of the agent. */
export interface UpdateEvent {
  readonly type: "update";
  readonly update: IncomingSessionUpdate;
}

/** The session was created, loaded or resumed. */
export interface SessionOpenedEvent {
  readonly type: "session_opened";
  readonly sessionId?: string;
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly IncomingSessionConfigOption[] | null;
}

/** A prompt was sent: a turn begins. */
export interface PromptSentEvent {
  readonly type: "prompt_sent";
  readonly prompt: readonly IncomingContentBlock[];
}

/**
 * The turn has ended. Later updates don't belong to it.
 *
 * It may be applied in two steps, the end first and its reason later, because updates that follow the response can be handled before the code
 * that awaits the response.
 */
export interface TurnEndedEvent {
  readonly type: "turn_ended";
  readonly stopReason?: StopReason;
  readonly error?: { readonly message: string; readonly code?: number | string };
  /** The response, for its other members: tokens, in `usage` or in `_meta`. */
  readonly response?: object;
}

/** The agent requests permission for a tool call. */
export interface PermissionAskedEvent {
  readonly type: "permission_asked";
  /** Distinguishes it from other requests of the session; any string. */
  readonly requestId: string;
  readonly toolCall: IncomingToolCallUpdate;
  readonly options: readonly PermissionOption[];
}

/** The agent got the response to a permission request. */
export interface PermissionAnsweredEvent {
  readonly type: "permission_answered";
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: RequestPermissionOutcome;
}

/** The session is being loaded: the next updates are its whole history. The previous entries are held until it is complete. */
export interface ReplayBeganEvent {
  readonly type: "replay_began";
}

/** The history is complete, or the load failed and the previous entries are restored. */
export interface ReplayEndedEvent {
  readonly type: "replay_ended";
  readonly failed?: boolean;
}

/** A change of one of this client's terminals. Terminals that agents run themselves are in updates. */
export interface TerminalEvent {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  /** All of its output so far. */
  readonly output?: string;
  /** More output. */
  readonly data?: string;
  readonly truncated?: boolean;
  readonly exit?: { readonly exitCode?: number | null; readonly signal?: string | null };
  readonly released?: true;
}

/** Everything that changes a transcript. */
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
