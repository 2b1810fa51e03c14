import type { Diagnostic, PeerRole, V1ClientCalls } from "@acp-kit/protocol";
import type {
  ContentBlock,
  IncomingInitializeResponse,
  IncomingSessionUpdate,
  InitializeRequest,
  PromptRequest,
  PromptResponse,
} from "@acp-kit/types";
import type { ClientPeer } from "./client-peer.js";
import type { ConnectAgentOptions } from "./connect-options.js";
import type { SessionState } from "./session/state.js";
import type { SteerOutcome } from "./session/steer.js";
import type { FinalText, Turn } from "./session/turn.js";
import type { Turns } from "./session/turns.js";
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
  check(options: ConnectAgentOptions): void;
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
  session(state: SessionState, turns: Turns): VersionSession;
  /** Creates a converter for the updates of a session that the client has not opened, such as a subagent's. */
  reader(): ReadUpdate;
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

/** A prompt that was sent. */
export interface SentPrompt {
  /** Cancels a prompt that the agent has not added to the conversation. */
  withdraw(): void;
}
