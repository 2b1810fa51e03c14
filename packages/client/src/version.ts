import type { Diagnostic, PeerRole, V1ClientCalls } from "@acp-kit/protocol";
import type {
  IncomingInitializeResponse,
  IncomingSessionUpdate,
  InitializeRequest,
  PromptRequest,
  PromptResponse,
} from "@acp-kit/types";
import type { IncomingBackgroundWork } from "@acp-kit/types/v2";
import type { ClientPeer } from "./client-peer.js";
import type { TurnOutcome } from "./session/turn-notice.js";
import type { TranscriptEvent } from "./transcript/transcript-event.js";
import type { ExtendTranscript } from "./transcript/transcript-extension.js";

// The interfaces through which another package adds a version of the protocol. This package implements only version 1.

/** A version of the protocol in addition to version 1, such as `v2` of `@acp-kit/v2/client`. */
export interface ClientVersion {
  readonly protocolVersion: number;
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
  /** Adds the members of this version to the params of version 1. Agents of both versions understand the result. */
  initializeParams(params: InitializeRequest): InitializeRequest;
  /** Whether `initialize` is sent again with the params of version 1, because the agent refused the first with this error. */
  canFallBack(error: unknown): boolean;
  /** Called with the response to `initialize`. If the agent has chosen this version, the peer adopts its role. */
  negotiated(response: IncomingInitializeResponse, peer: ClientPeer): void;
  session(port: VersionSessionPort): VersionSession;
}

/** The members of a session that a version uses. */
export interface VersionSessionPort {
  readonly sessionId: string;
  readonly peer: ClientPeer;
  /** Called when {@link VersionSession.owner} may have changed. */
  onOwner(): void;
  /** Called with the work that continues independently of turns; `undefined` if the agent does not report it. */
  onBackground(work: readonly IncomingBackgroundWork[] | undefined): void;
  /** Applies an event to the transcript of the session. */
  log(event: TranscriptEvent): void;
  /** Ends the turn that was running when the session was opened, if there is one. */
  endJoined(outcome: TurnOutcome): void;
  /** Cancels the open requests of the session for which `isMeant` returns `true`. Some have no tool call. */
  cancelRequests(isMeant: (toolCallId: string | undefined) => boolean): void;
}

/** Delivers an update in the form that applications use. Returns a promise if a listener does. */
export type DeliverUpdate = (update: IncomingSessionUpdate, size: number) => unknown;

/** The part of a session that belongs to a version, for one connection. */
export interface VersionSession {
  /** Whether the agent works on the session, also without a prompt. */
  readonly isWorking: boolean;
  /** The prompt to which updates belong now. */
  readonly owner: SentPrompt | undefined;
  /** Handles a received update: delivers 0 or more updates, and settles prompts whose work has ended. */
  receive(update: unknown, size: number, deliver: DeliverUpdate): unknown;
  /** Called when the response that has opened the session has been applied. */
  opened(response: object, deliver: DeliverUpdate): void;
  prompt(prompt: VersionPrompt): SentPrompt;
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

/** A prompt to send. */
export interface VersionPrompt {
  readonly params: PromptRequest;
  /** Aborts when nothing waits for the prompt any longer. */
  readonly signal: AbortSignal;
  /** Called once, when the agent begins to work on the prompt or has added it to the conversation. */
  onBegun(messageId: string | undefined): void;
  /** Called once, when the agent has added the prompt to the conversation. */
  onInserted(messageId: string | undefined): void;
  /** Called when the end of the prompt arrives, before {@link SentPrompt.response} settles. */
  onSettled(): void;
}

/** A prompt that was sent. */
export interface SentPrompt {
  /** Resolves at the end of the work that contains the prompt. */
  readonly response: Promise<PromptResponse>;
  /** Cancels a prompt that the agent has not added to the conversation. */
  withdraw(): void;
}
