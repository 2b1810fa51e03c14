import type { Diagnostic } from "@acp-kit/protocol";
import { shorten } from "@acp-kit/protocol/internal";
import type { IncomingSessionNotification, IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import { AnnouncedCalls } from "../permissions/announced-calls.js";
import type { LiveSession } from "../session/live-session.js";
import type { RoutedState, SessionRouter } from "../session/session-router.js";
import type { Sessions } from "../session/sessions.js";
import { childUpdateOf } from "../transcript/child-update.js";
import { MAX_CHILDREN } from "../transcript/extend-all.js";
import type { ChildEvent } from "../transcript/transcript-event.js";
import type { ReadUpdate, VersionConnection } from "../version.js";

interface Child {
  /** The open session that owns the child session, directly or through other child sessions. */
  readonly owner: LiveSession;
  /** The session whose updates announce the child: the owner, or another child. */
  readonly parentId: string;
  readonly state: RoutedState & { readonly calls: AnnouncedCalls };
  /** Converts the updates of a connection of another version than 1. */
  reader?: { readonly of: VersionConnection; readonly read: ReadUpdate };
}

/**
 * Routes messages of child sessions, which the client did not open, to the session that owns them. The agent announces
 * each child session before it sends its messages.
 */
export class ChildSessions implements SessionRouter {
  readonly #sessions: Sessions;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #children = new Map<string, Child>();
  /** For each child session that was announced, the session whose lane its messages use. */
  readonly #lanes = new Map<string, string>();

  constructor(sessions: Sessions, report: (diagnostic: Diagnostic) => void) {
    this.#sessions = sessions;
    this.#report = report;
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId) ?? this.#child(sessionId)?.owner;
  }

  stateOf(sessionId: string): RoutedState | undefined {
    return this.#sessions.stateOf(sessionId) ?? this.#child(sessionId)?.state;
  }

  isCancelling(sessionId: string, toolCallId: string | undefined): boolean {
    return this.#sessions.isCancelling(this.#child(sessionId)?.owner.sessionId ?? sessionId, toolCallId);
  }

  receive(notification: IncomingSessionNotification, size: number, version?: VersionConnection): unknown {
    const { sessionId, update } = notification;
    const session = this.#sessions.get(sessionId);
    const child = session === undefined ? this.#child(sessionId) : undefined;
    const owner = session ?? child?.owner;
    if (owner !== undefined) this.#announced(owner, sessionId, update);
    if (child === undefined) return this.#sessions.receive(notification, size, version);
    if (version === undefined) return receiveOf(child, notification, size);
    if (child.reader?.of !== version) child.reader = { of: version, read: version.reader() };
    const results: unknown[] = [];
    child.reader.read(update, (converted) => {
      const result = receiveOf(child, { sessionId, update: converted }, size);
      if (result !== undefined) results.push(result);
    });
    return results.length > 1 ? Promise.all(results) : results[0];
  }

  /**
   * Returns the lane of a message: for a child session, that of its owner. In lanes of their own, its updates could
   * overtake its announcement. The lane is known before the announcement is handled, which may wait for a listener.
   */
  readonly orderBy = (method: string, params: unknown): string | undefined => {
    const { sessionId, update } = (params ?? {}) as { readonly sessionId?: unknown; readonly update?: unknown };
    if (typeof sessionId !== "string") return undefined;
    const lane = this.#lanes.get(sessionId) ?? sessionId;
    if (method === "session/update" && typeof update === "object" && update !== null) {
      const child = childUpdateOf(update as IncomingSessionUpdate)?.sessionId;
      const isNew = child !== undefined && !this.#lanes.has(child) && this.#sessions.get(child) === undefined;
      if (isNew && this.#lanes.size < MAX_CHILDREN) this.#lanes.set(child, lane);
    }
    return lane;
  };

  #child(sessionId: string): Child | undefined {
    const child = this.#children.get(sessionId);
    return child !== undefined && this.#isOpen(child) ? child : undefined;
  }

  #isOpen({ owner }: Child): boolean {
    return this.#sessions.get(owner.sessionId) === owner;
  }

  #announced(owner: LiveSession, parentId: string, update: IncomingSessionUpdate): void {
    const sessionId = childUpdateOf(update)?.sessionId;
    if (sessionId === undefined) return;
    const known = this.#child(sessionId);
    if (known?.owner === owner && known.parentId === parentId) return;
    const problem = this.#problem(sessionId, parentId);
    if (problem === undefined) this.#children.set(sessionId, { owner, parentId, state: stateOf(owner, sessionId) });
    else {
      const message = `Session ${shorten(parentId)} announced the child session ${shorten(sessionId)}, which was ignored: ${problem}`;
      this.#report({ code: "child_session_ignored", message });
    }
  }

  #problem(sessionId: string, parentId: string): string | undefined {
    if (sessionId === parentId) return "a session can't be its own child";
    if (this.#sessions.get(sessionId) !== undefined) return "this client has opened it";
    if (this.#child(sessionId) !== undefined) return "it is the child of another session";
    if (this.#children.size >= MAX_CHILDREN) this.#removeClosed();
    return this.#children.size >= MAX_CHILDREN ? `there are ${MAX_CHILDREN} child sessions already` : undefined;
  }

  #removeClosed(): void {
    for (const [sessionId, child] of this.#children) {
      if (this.#isOpen(child)) continue;
      this.#children.delete(sessionId);
      this.#lanes.delete(sessionId);
    }
  }
}

function stateOf({ state }: LiveSession, sessionId: string): Child["state"] {
  const apply = (event: ChildEvent | ChildEvent["event"]): void =>
    state.transcript.apply(event.type === "child" ? event : { type: "child", sessionId, event });
  return { transcript: { apply }, calls: new AnnouncedCalls() };
}

/** Handles an update of a child session, as `receive` in `updates.ts` does for other sessions. */
function receiveOf({ owner, state }: Child, { sessionId, update }: IncomingSessionNotification, size: number): unknown {
  const { replay, listeners } = owner.state;
  if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update")
    state.calls.apply(update as IncomingToolCallUpdate);
  if (replay === "none") return undefined; // the session is opened again, and its transcript has the history
  state.transcript.apply({ type: "update", update });
  const turn = owner.turns.current;
  turn?.clock.touch(); // the agent works
  const context = { session: owner, turn, replayed: replay !== undefined, child: sessionId };
  return typeof replay === "function" ? replay(update, context) : listeners.deliver(update, context, size);
}
