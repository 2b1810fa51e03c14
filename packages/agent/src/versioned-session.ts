import { CapabilityError, type PeerContext } from "@acp-kit/protocol";
import type { ContentBlock, IncomingPromptRequest, PlanEntry, PromptResponse } from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { OwnTerminal, OwnTerminalInit } from "./own-terminal.js";
import type { Sent } from "./sent.js";
import type { PromptResult } from "./turn-policy.js";
import type { VersionedUpdate } from "./versioned-update.js";

/** The members of a session that a version uses. */
export interface SessionPort {
  readonly sessionId: string;
  /** Runs an action when all updates so far have been sent: immediately, or after those that are being persisted. */
  afterUpdates(action: () => void): void;
}

/** The context of a prompt, or of the agent's own work. */
export type WorkContext = Pick<PeerContext, "signal" | "afterResponse">;

/**
 * The part of a session that belongs to a version.
 *
 * @typeParam Turn - the class of turns, which depends on this file.
 * @typeParam Call - the class of tool calls, which does so, too.
 */
export interface VersionedSession<Turn = object, Call = object> {
  /** The version of the connection. */
  readonly protocolVersion: number;
  /** Adds the ids that the version requires to an update, before `beforeUpdate` receives it. */
  identify(update: VersionedUpdate): VersionedUpdate;
  /** Sends an update. */
  send(update: VersionedUpdate): Sent;
  /** Sends a request about the session to the client. A request of a turn has a `signal`. */
  request: AgentPeer["request"];
  /**
   * Calls the handler of a turn. The turn's `request` is the one that `work` or the handler of `session/prompt` got.
   */
  play(turn: Turn, handler: () => Promise<PromptResult>): Promise<PromptResult>;
  /** Runs work that no prompt has requested: in the running turn, or else as a turn of its own. */
  work(handler: (turn: Turn) => Promise<PromptResult>): Promise<PromptResponse>;
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
  detach(call: Call, cancel: (() => void) | undefined): void;
  openTerminal(call: Call, init: OwnTerminalInit, send: (update: VersionedUpdate) => Sent): OwnTerminal;
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

/**
 * Returns the part of a session that belongs to a version, for a method that needs the option `versions`.
 *
 * @throws {CapabilityError} when the agent was created without it.
 */
export function versionOf<Version extends VersionedSession>(version: Version | undefined, method: string): Version {
  if (version === undefined) throw new CapabilityError(method, "versions", `${method} needs the option versions`);
  return version;
}
