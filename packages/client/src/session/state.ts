import type { ClientPeer } from "../client-peer.js";
import type { AnnouncedCalls } from "../permissions/announced-calls.js";
import { SessionTranscript } from "../transcript/session-transcript.js";
import { UpdateListeners } from "./listeners.js";
import type { SessionSetup } from "./open-options.js";
import type { SessionOrigin, UpdateListener } from "./session.js";
import type { SessionClient } from "./session-client.js";

/** The setup with which a session was opened, and the number of the connection over which it was opened. */
export interface OpenedAs {
  readonly setup: SessionSetup;
  readonly generation: number;
}

/**
 * The listeners that receive the history while a session is being loaded: all, none, or only one new listener, if the
 * others have already received it.
 */
export type Replay = "listeners" | "none" | UpdateListener;

/** What a call to the agent needs first: the session, open over the current connection. */
export interface Attachable {
  /** Opens the session again over the current connection. Returns `undefined` if it is already open there. */
  attach(): Promise<void> | undefined;
}

/** The facts about a session that its parts share. */
export class SessionState {
  readonly sessionId: string;
  readonly client: SessionClient;
  readonly transcript: SessionTranscript;
  readonly listeners: UpdateListeners;
  /** The tool calls that have not ended; `undefined` before the first one. */
  calls: AnnouncedCalls | undefined;
  origin: SessionOrigin = "new";
  isClosed = false;
  /** `undefined` before the agent has responded, and after the session was removed. */
  openedAs: OpenedAs | undefined;
  /** While the agent replays the history, the listeners that receive it. */
  replay: Replay | undefined;
  /** Whether a prompt that failed with this error is sent again, after the session was opened again. */
  reopens: ((error: unknown) => boolean) | undefined;
  /** The number of updates whose listeners have not finished. */
  handling = 0;

  constructor(client: SessionClient, sessionId: string) {
    this.client = client;
    this.sessionId = sessionId;
    this.transcript = new SessionTranscript(client, sessionId);
    this.listeners = new UpdateListeners(client, sessionId);
  }

  /** The current connection. */
  get peer(): ClientPeer {
    return this.client.link.current.peer;
  }

  get roots(): readonly string[] {
    const setup = this.openedAs?.setup;
    return setup === undefined ? [] : [setup.cwd, ...(setup.additionalDirectories ?? [])];
  }

  /** Cancels the open requests of the agent, or those whose tool calls are meant, because the turn was cancelled. */
  cancelRequests(isMeant?: (toolCallId?: string) => boolean): void {
    const { permissions, link } = this.client;
    permissions.cancel("turn_cancelled", this.sessionId, isMeant);
    link.current.requests.cancel(this.sessionId, "The turn was cancelled", isMeant);
  }
}
