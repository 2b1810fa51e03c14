import { CapabilityError, type PeerContext } from "@acp-kit/protocol";
import type { Extensions } from "@acp-kit/protocol/internal";
import type {
  AgentCapabilities,
  ContentBlock,
  IncomingPromptRequest,
  PlanEntry,
  PromptResponse,
  SessionUpdate,
} from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { AgentDefinition } from "./agent-definition.js";
import type { AgentPeer } from "./agent-peer.js";
import type { ActiveSession } from "./agent-sessions.js";
import type { OwnTerminal, OwnTerminalInit } from "./own-terminal.js";
import type { Sent } from "./sent.js";
import type { ToolCallHandle } from "./tool-call-handle.js";
import type { Turn } from "./turn.js";
import type { PlayTurn, PromptResult } from "./turn-policy.js";

// The interfaces through which another package adds a version of the protocol. This package implements only version 1.

/** An update of the agent: one of version 1, whose form is the same in all versions, or one that only version 2 has. */
export type VersionedUpdate =
  | SessionUpdate
  | Extract<
      v2.SessionUpdate,
      {
        sessionUpdate:
          | "user_message"
          | "agent_message"
          | "agent_thought"
          | "tool_call_content_chunk"
          | "terminal_update"
          | "terminal_output_chunk"
          | "plan_update";
      }
    >;

/**
 * A version of the protocol in addition to version 1, such as `v2` of `@acp-kit/v2/agent`. The agent's handlers stay
 * those of version 1.
 */
export interface AgentVersion {
  readonly protocolVersion: number;
  /**
   * Checks an agent's definition.
   *
   * @throws {InvalidOptionError} when the version needs a handler that is missing.
   */
  check(definition: AgentDefinition): void;
  /**
   * Negotiates the version of a connection. If it is this one, the connection has a `response`, and its peer has the
   * handlers and the role of this version; otherwise, the connection is one of version 1.
   *
   * @param params the params of `initialize`.
   * @param capabilities the capabilities of the agent in version 1.
   * @throws {RpcError} when the agent speaks no version that the client can use; the connection is unchanged then.
   */
  connect(agent: AgentPort, params: unknown, capabilities: AgentCapabilities): VersionedConnection;
}

/**
 * Returns the part of a session that belongs to a version, for a method that needs the option `versions`.
 *
 * @throws {CapabilityError} when the agent was created without it.
 */
export function versionOf(version: VersionedSession | undefined, method: string): VersionedSession {
  if (version === undefined) throw new CapabilityError(method, "versions", `${method} needs the option versions`);
  return version;
}

/** The members of a connection that an {@link AgentVersion} uses. */
export interface AgentPort {
  readonly definition: AgentDefinition;
  readonly peer: AgentPeer;
  /** The handlers of extensions, which report errors, too. */
  readonly extensions: Extensions;
  readonly sessions: {
    /** Returns a session if it is active: it was opened on this connection, and not closed. */
    find(sessionId: string): ActiveSession | undefined;
    /** Cancels the turns of a session, waits for their end, runs `handler` and forgets the session. */
    close<Result>(session: ActiveSession, handler: () => Promise<Result>): Promise<Result>;
    /** Returns the part of a session that belongs to the version. The session need not be active. */
    channel(sessionId: string): { readonly version: VersionedSession | undefined };
  };
}

/** The part of a connection that belongs to a version. */
export interface VersionedConnection {
  /** The response to `initialize`; `undefined` if the connection is one of version 1. */
  readonly response: object | undefined;
  /** Waits until all work has ended whose requests have their response already, at most this time. */
  idle(timeoutMs: number): Promise<void>;
  session(session: SessionPort): VersionedSession;
}

/** The members of a session that a version uses. */
export interface SessionPort {
  readonly sessionId: string;
  /** Runs an action when all updates so far have been sent: immediately, or after those that are being persisted. */
  afterUpdates(action: () => void): void;
}

/** The context of a prompt, or of the agent's own work. */
export type WorkContext = Pick<PeerContext, "signal" | "afterResponse">;

/** The part of a session that belongs to a version. */
export interface VersionedSession {
  /** The version of the connection. */
  readonly protocolVersion: number;
  /** Adds the ids that the version requires to an update, before `beforeUpdate` receives it. */
  identify(update: VersionedUpdate): VersionedUpdate;
  /** Sends an update. */
  send(update: VersionedUpdate): Sent;
  /** Sends a request about the session to the client. A request of a turn has a `signal`. */
  request: AgentPeer["request"];
  /** Calls the handler of a turn. The turn's `request` is the one that `work` or the handler of `session/prompt` got. */
  play(turn: Turn, handler: () => Promise<PromptResult>): Promise<PromptResult>;
  /** Runs work that no prompt has requested: in the running turn, or else as a turn of its own. */
  work(handler: PlayTurn): Promise<PromptResponse>;
  /**
   * Creates the update that replaces a whole message.
   *
   * @throws {CapabilityError} when the version has no such update.
   */
  replacement(
    of: "agent_message_chunk" | "agent_thought_chunk",
    messageId: string,
    content: ContentBlock,
  ): VersionedUpdate;
  /** Creates the update of a plan with an id. */
  plan(planId: string, entries: PlanEntry[]): VersionedUpdate;
  /** Adds a tool call to the work in the background; see `ToolCallHandle.detach`. */
  detach(call: ToolCallHandle, cancel: (() => void) | undefined): void;
  openTerminal(call: ToolCallHandle, init: OwnTerminalInit, send: (update: VersionedUpdate) => Sent): OwnTerminal;
  /** Returns the id of a prompt's message; `undefined` if the version has none. */
  messageIdOf(request: IncomingPromptRequest): string | undefined;
  /**
   * Delays the moment at which the prompt of the turn that has just begun becomes part of the conversation, for example
   * until it is stored. If the promise rejects, the prompt does not become part of it.
   */
  holdUntil(stored: Promise<unknown>): void;
  /** Shows a turn that another connection runs for this session. */
  follow(turn: Promise<PromptResponse>): void;
  /** Called when the session is closed or forgotten. */
  close(): void;
}
