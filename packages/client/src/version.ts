import type { Diagnostic, PeerRole, V1ClientCalls } from "@acp-kit/protocol";
import type {
  ContentBlock,
  Implementation,
  IncomingInitializeResponse,
  IncomingSessionUpdate,
  InitializeRequest,
  PromptRequest,
  PromptResponse,
} from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import type { ClientPeer } from "./client-peer.js";
import type { SteerOutcome } from "./session/steer.js";
import type { FinalText, Turn } from "./session/turn.js";
import type { TurnOutcome } from "./session/turn-notice.js";
import type { TurnPhase } from "./session/turn-phase.js";
import type { SessionTranscript } from "./transcript/session-transcript.js";
import type { ExtendTranscript } from "./transcript/transcript-extension.js";

// The interfaces through which another package adds a version of the protocol. This package implements only version 1.

/** A version of the protocol in addition to version 1, such as `v2` of `@acp-kit/v2/client`. */
export interface ClientVersion {
  readonly protocolVersion: number;
  /**
   * Checks the options of a client.
   *
   * @throws {InvalidOptionError} when the version needs an option that is missing.
   */
  check(options: { readonly info?: Implementation | undefined }): void;
  /** Adds to the transcripts of sessions what only this version has. */
  readonly extendTranscript: ExtendTranscript;
  /**
   * Begins a connection whose version is not negotiated yet.
   *
   * @param role the role of version 1, with the compatibility rules of the client.
   */
  connect(role: PeerRole<V1ClientCalls>, report: (diagnostic: Diagnostic) => void): VersionConnection;
}

/** The part of a connection that belongs to a version. */
export interface VersionConnection {
  /** The role until the version is negotiated. It reads responses to `initialize` of both versions. */
  readonly role: PeerRole<V1ClientCalls>;
  /** Whether the agent has chosen this version. */
  readonly isChosen: boolean;
  /**
   * Sends `initialize` for both versions. Resolves with the response in the form of version 1. If the agent has chosen
   * this version, the peer has adopted its role before it handles the next message.
   */
  initialize(params: InitializeRequest, peer: ClientPeer): Promise<IncomingInitializeResponse>;
  session(state: VersionState, turns: VersionTurns): VersionSession;
  /** Creates a converter for the updates of a session that the client has not opened, such as a subagent's. */
  reader(): ReadUpdate;
}

/** The members of a session's state that a version uses. */
export interface VersionState {
  readonly sessionId: string;
  /** The current connection. */
  readonly peer: ClientPeer;
  readonly transcript: Pick<SessionTranscript, "apply">;
  /** Cancels the open requests of the agent whose tool calls are meant, because the work was cancelled. */
  cancelRequests(isMeant: (toolCallId?: string) => boolean): void;
}

/** The turns of a session, as a version changes them. */
export interface VersionTurns {
  readonly background: { set(work: readonly IncomingBackgroundWork[] | undefined): void };
  /** Changes the phase of a turn. Returns whether the phase can follow the current one. */
  move(turn: Turn, to: TurnPhase): boolean;
  /** Begins a turn whose prompt the agent has inserted. */
  begin(turn: Turn): void;
  /** Adds the prompt of a turn to the transcript. */
  logPrompt(turn: Turn, named: { readonly messageId?: string }): void;
  /** Ends a turn that this client did not start. */
  endJoined(outcome: TurnOutcome): void;
  /** Finds the current turn again, after the owner of updates or the state of the work has changed. */
  refresh(): void;
}

/** Delivers an update in the form that applications use. Returns a promise if a listener does. */
export type DeliverUpdate = (update: IncomingSessionUpdate, size: number) => unknown;

/** Passes an update in the form that applications use to `emit`, as 0 or more updates. */
export type ReadUpdate = (update: unknown, emit: (update: IncomingSessionUpdate) => void) => void;

/** The part of a session that belongs to a version, for one connection. */
export interface VersionSession {
  /** Whether the agent works on the session, also without a prompt. */
  readonly isWorking: boolean;
  /** The turn to which updates belong now, if it is one of this client. */
  readonly owner: Turn | undefined;
  /** Handles a received update: delivers 0 or more updates, and settles prompts whose work has ended. */
  receive(update: unknown, size: number, deliver: DeliverUpdate): unknown;
  /** Called when the response that has opened the session has been applied. */
  opened(response: object, deliver: DeliverUpdate): void;
  /**
   * Sends the prompt of a turn, and changes the turn as the agent inserts the prompt and ends its work. Resolves at the
   * end of the work that contains the prompt.
   */
  prompt(turn: Turn, request: VersionPrompt): Promise<PromptResponse>;
  /** Creates a reader of the text of a turn, whose messages can be replaced. */
  createText(): FinalText;
  /** Sends a prompt to the running work, which gets no turn of its own. */
  steer(prompt: ContentBlock[]): Promise<SteerOutcome>;
  /** Sends `session/cancel`, and cancels the open requests of the work. */
  cancel(): void;
  /** Whether an open request for this tool call stays open after a cancel, because its work continues. */
  continues(toolCallId: string | undefined): boolean;
  /** Whether the agent can cancel this tool call or terminal alone. */
  canCancel(what: "tool_call" | "terminal", id: string): boolean;
  /**
   * Resolves when the agent has accepted the cancellation of a tool call or terminal.
   *
   * @throws {CapabilityError} when the agent can't cancel it.
   */
  cancelPart(what: "tool_call" | "terminal", id: string): Promise<void>;
}

/** The request for a prompt. */
export interface VersionPrompt {
  readonly params: PromptRequest;
  /** Aborts when nothing waits for the prompt any longer. */
  readonly signal: AbortSignal;
  /** Called when the end of the prompt arrives, before {@link VersionSession.prompt} settles. */
  onSettled(): void;
}
