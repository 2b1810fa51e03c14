// Our declarations name `Symbol.asyncDispose`. This reference adds its type to applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ConnectionError } from "@acp-kit/protocol";
import type { ClientCapabilities, Implementation } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { SessionHandle } from "./session-handle.js";

/** The connection of an agent to one client. `agent.connect` creates it. */
export interface ClientConnection {
  /** A promise that resolves with the reason when the connection has ended. It never rejects. */
  readonly closed: Promise<ConnectionError>;
  /** The typed JSON-RPC connection, for methods that this package does not wrap. */
  readonly peer: AgentPeer;
  /** The version of the protocol, after `initialize`. */
  readonly protocolVersion: number | undefined;
  /** The name and version of the client, after `initialize`. */
  readonly clientInfo: Implementation | undefined;
  /** The capabilities that the client advertised; empty before `initialize`. */
  readonly clientCapabilities: ClientCapabilities;
  /**
   * Returns a handle that sends updates for a session of this connection outside turns, such as slash commands, title,
   * usage or mode.
   */
  session(sessionId: string): SessionHandle;
  /** Cancels the running turn and the queued prompts of a session, as the client's `session/cancel` does. */
  cancelTurn(sessionId: string, reason?: unknown): void;
  /**
   * Closes the connection. Before that, it cancels the running turns and waits up to `drainTimeoutMs` milliseconds
   * (default 1,000) until their ends are sent. A second call has no effect, and the returned promise never
   * rejects.
   */
  close(options?: { readonly drainTimeoutMs?: number }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
