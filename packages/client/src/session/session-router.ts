import type { IncomingSessionNotification } from "@acp-kit/types";
import type { AnnouncedCalls } from "../permissions/announced-calls.js";
import type { SessionTranscript } from "../transcript/session-transcript.js";
import type { VersionConnection } from "../version.js";
import type { LiveSession } from "./live-session.js";

/** Finds the session of a message of the agent. */
export interface SessionRouter {
  /** The session to whose handlers a request with this session id goes. */
  get(sessionId: string): LiveSession | undefined;
  /** Where events and tool calls of this session id are kept. */
  stateOf(sessionId: string): RoutedState | undefined;
  /** Whether a request of the agent belongs to a turn that was cancelled. */
  isCancelling(sessionId: string, toolCallId: string | undefined): boolean;
  /** `version` is that of the connection, if it is not version 1. */
  receive(notification: IncomingSessionNotification, size: number, version?: VersionConnection): unknown;
  /** The lanes of messages, if they are not those of their session ids. */
  readonly orderBy?: (method: string, params: unknown) => string | undefined;
}

/** The state of a session, or of a child session, that requests of the agent use. */
export interface RoutedState {
  readonly transcript: Pick<SessionTranscript, "apply">;
  /** The tool calls that have not ended. */
  readonly calls: AnnouncedCalls | undefined;
}
