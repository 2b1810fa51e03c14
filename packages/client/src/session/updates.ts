import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import { AnnouncedCalls } from "../permissions/announced-calls.js";
import type { DeliverUpdate, VersionConnection } from "../version.js";
import type { LiveOptions } from "./live-options.js";
import type { Session, UpdateContext } from "./session.js";
import type { SessionState } from "./state.js";
import { turnNoticeOf } from "./turn-notice.js";
import type { Turns } from "./turns.js";

/** A session with the parts that its updates change. */
interface Receiver extends Session {
  readonly state: SessionState;
  readonly options: LiveOptions;
  readonly turns: Turns;
}

/** An update that arrived before the response that creates its session. */
export interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: IncomingSessionUpdate;
  readonly size: number;
}

/**
 * Handles an update of a session: it changes the state of the session, then goes to the running turn and to the
 * listeners. Returns a promise only if a listener returns one; later updates of the session wait for it.
 */
export function receive(session: Receiver, update: IncomingSessionUpdate, size: number): unknown {
  apply(session, update);
  const result = deliver(session, update, size);
  if (result !== undefined) {
    const { state, turns } = session;
    state.handling += 1;
    const handled = (): void => {
      state.handling -= 1;
      if (state.handling === 0) turns.current?.clock.onHandled();
    };
    Promise.resolve(result).then(handled, handled);
  }
  return result;
}

/** Handles an update in the form of another version than 1. */
export function receiveOf(version: VersionConnection, session: Receiver, update: unknown, size: number): unknown {
  return session.turns
    .of(version)
    .receive(update, size, (converted, convertedSize) => receive(session, converted, convertedSize));
}

/** Buffers updates that arrived before their session was created, until there is a listener. */
export function receiveEarly(session: Receiver, updates: readonly EarlyUpdate[]): void {
  const buffer: DeliverUpdate = (update, size) => {
    apply(session, update);
    session.state.listeners.buffer(update, contextOf(session), size);
  };
  const { version } = session.turns;
  for (const { update, size } of updates) {
    if (version === undefined) buffer(update, size);
    else version.receive(update, size, buffer);
  }
}

function deliver(session: Receiver, update: IncomingSessionUpdate, size: number): unknown {
  const { replay, listeners } = session.state;
  if (replay === "none") return undefined;
  const context = contextOf(session);
  if (typeof replay === "function") return replay(update, context);
  session.turns.current?.push(update, size);
  return listeners.deliver(update, context, size);
}

/** Applies an update to the state. Message chunks, the most frequent updates, only change the transcript. */
function apply(session: Receiver, update: IncomingSessionUpdate): void {
  const { state } = session;
  state.transcript.update(update);
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      break;
    case "tool_call":
    case "tool_call_update":
      state.calls ??= new AnnouncedCalls();
      state.calls.apply(update as IncomingToolCallUpdate);
      break;
    case "config_option_update":
    case "current_mode_update":
      session.options.applyUpdate(update);
      break;
    case "session_info_update":
      applyNotice(session, (update as { readonly _meta?: Readonly<Record<string, unknown>> | null })._meta);
  }
}

/** Handles the start or the end of a turn that this client did not start. */
function applyNotice({ state, turns }: Receiver, meta: Parameters<typeof turnNoticeOf>[0]): void {
  const notice = state.replay === undefined ? turnNoticeOf(meta) : undefined;
  if (notice?.is === "running") turns.join();
  else if (notice !== undefined) turns.endJoined(notice.outcome);
}

function contextOf(session: Receiver): UpdateContext {
  return { session, turn: session.turns.current, replayed: session.state.replay !== undefined };
}
