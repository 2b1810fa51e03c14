import type { Extensions } from "@acp-kit/protocol/internal";
import type { AgentCapabilities, RequestId } from "@acp-kit/types";
import type { AgentDefinition } from "./agent-definition.js";
import type { AgentPeer } from "./agent-peer.js";
import type { ActiveSession } from "./agent-sessions.js";
import type { ToolCallHandle } from "./tool-call-handle.js";
import type { Turn } from "./turn.js";
import type { SessionPort, VersionedSession } from "./versioned-session.js";

// The interfaces through which another package adds a version of the protocol. This package implements only version 1.

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
   * @param id the id of the request.
   * @throws {RpcError} when the agent speaks no version that the client can use; the connection is unchanged then.
   */
  connect(agent: AgentPort, params: unknown, capabilities: AgentCapabilities, id: RequestId): VersionedConnection;
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
  session(session: SessionPort): VersionedSession<Turn, ToolCallHandle>;
}
