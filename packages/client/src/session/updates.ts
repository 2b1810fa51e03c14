import type { IncomingSessionUpdate, IncomingToolCallUpdate } from "@acp-kit/types";
import { AnnouncedCalls } from "../permissions/announced-calls.js";
import type { LiveOptions } from "./live-options.js";
import type { Session, UpdateContext } from "./session.js";
import type { SessionState } from "./state.js";
import { turnNoticeOf } from "./turn-notice.js";
import type { Turns } from "./turns.js";

/** An update that arrived before the response that creates its session. */
export interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: IncomingSessionUpdate;
  readonly size: number;
}

/**
 * Receives the updates of a session. Each one changes the state of the session first, then goes to the running turn and
 * to the listeners.
 */
export class SessionUpdates {
  readonly #state: SessionState;
  readonly #session: Session;
  readonly #options: LiveOptions;
  readonly #turns: Turns;

  constructor(state: SessionState, session: Session, options: LiveOptions, turns: Turns) {
    this.#state = state;
    this.#session = session;
    this.#options = options;
    this.#turns = turns;
  }

  /** Handles an update. Returns a promise only if a listener returns one; later updates of the session wait for it. */
  receive(update: IncomingSessionUpdate, size: number): unknown {
    this.#apply(update);
    const result = this.#deliver(update, size);
    if (result !== undefined) {
      const state = this.#state;
      state.handling += 1;
      const handled = (): void => {
        state.handling -= 1;
        if (state.handling === 0) this.#turns.current?.clock.onHandled();
      };
      Promise.resolve(result).then(handled, handled);
    }
    return result;
  }

  /** Buffers updates that arrived before the session was created, until there is a listener. */
  receiveEarly(updates: readonly EarlyUpdate[]): void {
    for (const { update, size } of updates) {
      this.#apply(update);
      this.#state.listeners.buffer(update, this.#context(), size);
    }
  }

  #deliver(update: IncomingSessionUpdate, size: number): unknown {
    const { replay, listeners } = this.#state;
    if (replay === "none") return undefined;
    const context = this.#context();
    if (typeof replay === "function") return replay(update, context);
    this.#turns.current?.push(update, size);
    return listeners.deliver(update, context, size);
  }

  /** Applies an update to the state. Message chunks, the most frequent updates, only change the transcript. */
  #apply(update: IncomingSessionUpdate): void {
    const state = this.#state;
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
        this.#options.applyUpdate(update);
        break;
      case "session_info_update":
        this.#applyNotice((update as { readonly _meta?: Readonly<Record<string, unknown>> | null })._meta);
    }
  }

  /** Handles the start or the end of a turn that this client did not start. */
  #applyNotice(meta: Readonly<Record<string, unknown>> | null | undefined): void {
    const notice = this.#state.replay === undefined ? turnNoticeOf(meta) : undefined;
    if (notice?.is === "running") this.#turns.join();
    else if (notice !== undefined) this.#turns.endJoined(notice.outcome);
  }

  #context(): UpdateContext {
    return { session: this.#session, turn: this.#turns.current, replayed: this.#state.replay !== undefined };
  }
}
