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

/** The agent said something: a `session/update`. */
export interface UpdateEvent {
  readonly type: "update";
  readonly update: IncomingSessionUpdate;
}

/** The session was created, loaded or resumed, and the agent said what it offers. */
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
 * The turn has ended. What comes from here on is outside of it.
 *
 * It may be told in two steps, the end first and its reason later, because updates that follow the answer can be handled before whoever
 * awaits the answer has read it.
 */
export interface TurnEndedEvent {
  readonly type: "turn_ended";
  readonly stopReason?: StopReason;
  readonly error?: { readonly message: string; readonly code?: number | string };
  /** The answer, for what agents tell beside the stop reason: tokens, in `usage` or in `_meta`. */
  readonly response?: object;
}

/** The agent asks whether a tool call may run. */
export interface PermissionAskedEvent {
  readonly type: "permission_asked";
  /** Tells it apart from other requests of the session; any string. */
  readonly requestId: string;
  readonly toolCall: IncomingToolCallUpdate;
  readonly options: readonly PermissionOption[];
}

/** The agent got its answer. */
export interface PermissionAnsweredEvent {
  readonly type: "permission_answered";
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: RequestPermissionOutcome;
}

/** The session is being loaded: what comes now is its whole history. What was here is held until that is complete. */
export interface ReplayBeganEvent {
  readonly type: "replay_began";
}

/** The history is complete, or the load failed and what was here before comes back. */
export interface ReplayEndedEvent {
  readonly type: "replay_ended";
  readonly failed?: boolean;
}

/** A terminal of this client did something. Those that agents run themselves are told in updates. */
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
