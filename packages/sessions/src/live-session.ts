import type { ClientConnection, PromptResult, SessionHandle, Turn } from "@acp-kit/agent";
import { deferred } from "@acp-kit/protocol/internal";
import type { ContentBlock, IncomingPromptRequest, PromptResponse, SessionUpdate, StopReason } from "@acp-kit/types";
import { checkRequest } from "./check-request.js";
import { Follower } from "./follower.js";
import type { LogEntry } from "./log-entry.js";
import type { MaybePromise, SessionLog } from "./session-store.js";
import { titleFrom } from "./title.js";

/** The owner and the callbacks of a {@link LiveSession}. */
export interface LiveSessionOptions {
  readonly owner: string;
  readonly isUntitled: boolean;
  /** Marks an update as already logged. */
  readonly asLogged: (update: SessionUpdate) => SessionUpdate;
  /** Called when this process no longer writes the session. */
  readonly onEnd: () => void;
}

/** A session that this process writes. */
export class LiveSession {
  readonly owner: string;
  readonly #followers = new Map<ClientConnection, Follower>();
  readonly #asLogged: (update: SessionUpdate) => SessionUpdate;
  readonly #onEnd: () => void;
  #log: SessionLog;
  #turn: Promise<void> | undefined;
  /** The running turn with its result, and the connection that runs it. */
  #running: { readonly connection: ClientConnection; readonly turn: Promise<PromptResponse> } | undefined;
  #isUntitled: boolean;

  constructor(log: SessionLog, { owner, isUntitled, asLogged, onEnd }: LiveSessionOptions) {
    this.owner = owner;
    this.#log = log;
    this.#isUntitled = isUntitled;
    this.#asLogged = asLogged;
    this.#onEnd = onEnd;
  }

  /**
   * Uses the log with the newest lease. Called when two connections have opened the session at the same time. An
   * asynchronous store may return the older log last.
   */
  renew(log: SessionLog): this {
    if (log.token > this.#log.token) this.#log = log;
    return this;
  }

  /** Logs an entry. If the entry contains a title, the title is also written to the session's record. */
  append(entry: LogEntry): number | Promise<number> {
    const seq = this.#log.append(entry);
    const titled = this.#takeTitle(entry);
    if (typeof seq === "number" && titled === undefined) return seq;
    return Promise.all([seq, titled]).then(([number]) => number);
  }

  #takeTitle(entry: LogEntry): MaybePromise<void> {
    if (entry.type !== "update" || entry.update.sessionUpdate !== "session_info_update") return undefined;
    if (!("title" in entry.update)) return undefined;
    this.#isUntitled = false;
    return this.#log.setTitle(entry.update.title ?? null);
  }

  /**
   * Makes a connection follow the session: updates of other connections are queued until {@link Follower.goLive}. If
   * the connection already follows the session, it catches up again.
   */
  follow(connection: ClientConnection, handle: SessionHandle): Follower {
    const existing = this.#followers.get(connection);
    if (existing !== undefined) {
      existing.catchUp();
      return existing;
    }
    const follower = new Follower(handle, this.#asLogged);
    this.#followers.set(connection, follower);
    void connection.closed.then(async () => {
      // The turn may run on this connection, whose end cancels the turn
      while (this.#turn !== undefined) await this.#turn;
      // If the store fails here, the session is not released. The lease then ends with the process.
      await this.leave(connection).catch(() => {});
    });
    return follower;
  }

  isFollowedBy(connection: ClientConnection): boolean {
    return this.#followers.has(connection);
  }

  /** A connection closes the session or ends. After the last one, and its turn, the session is released. */
  async leave(connection: ClientConnection): Promise<void> {
    this.#followers.delete(connection);
    while (this.#turn !== undefined && this.#followers.size === 0) await this.#turn;
    if (this.#followers.size > 0) return;
    this.#onEnd();
    await this.#log.release();
  }

  /** Shows the turn that another connection runs to a connection that opens the session. */
  showTurn(connection: ClientConnection, follower: Follower): void {
    if (this.#running !== undefined && this.#running.connection !== connection) follower.followTurn(this.#running.turn);
  }

  sendToOthers(connection: ClientConnection, seq: number, update: SessionUpdate): void {
    for (const [other, follower] of this.#followers) if (other !== connection) follower.take(seq, update);
  }

  /** Cancels the turn, whichever connection it runs on. */
  cancel(): void {
    for (const connection of this.#followers.keys()) connection.cancelTurn(this.#log.sessionId);
  }

  /** Cancels the turn and waits until it has ended. */
  async stop(): Promise<void> {
    this.cancel();
    while (this.#turn !== undefined) await this.#turn;
    this.#onEnd();
  }

  /**
   * Runs a turn after the current turn has ended. The log gets an entry for the prompt before the turn, and one for its
   * end, and one for each prompt that is merged into the turn. The turn also ends if the agent gives it up, because its
   * handler ignores the cancel.
   */
  async play(
    turn: Turn,
    connection: ClientConnection,
    prompt: () => Promise<PromptResult>,
    isTitled: boolean,
  ): Promise<PromptResult> {
    const stored = deferred<void>();
    stored.promise.catch(() => {}); // version 1 does not wait for it
    turn.version?.holdUntil(stored.promise);
    while (this.#turn !== undefined) await this.#turn;
    if (turn.signal.aborted) {
      stored.reject(turn.signal.reason);
      return "cancelled";
    }
    const outcome = deferred<PromptResponse>();
    this.#running = { connection, turn: outcome.promise };
    let done = (): void => {};
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    let stopReason: StopReason | "error" = "error";
    const merged = this.#logMerged(turn);
    try {
      await this.append(promptEntry(turn, turn));
      stored.resolve();
      for (const [other, follower] of this.#followers) if (other !== connection) follower.followTurn(outcome.promise);
      if (isTitled) await this.#titleFromPrompt(turn);
      const result = await Promise.race([prompt(), turn.over]).finally(merged.stop);
      await Promise.all(merged.entries);
      stopReason = turn.signal.aborted ? "cancelled" : stopReasonOf(result);
      return result;
    } catch (error) {
      stored.reject(error);
      if (turn.signal.aborted) stopReason = "cancelled";
      throw error;
    } finally {
      try {
        await this.append({ type: "end", stopReason });
      } finally {
        this.#turn = undefined;
        this.#running = undefined;
        outcome.resolve({ stopReason: stopReason as StopReason });
        done();
      }
    }
  }

  /** Logs each prompt before it joins a turn, until `stop`; further prompts then wait for the turn's end. */
  #logMerged(turn: Turn): { readonly entries: readonly Promise<unknown>[]; readonly stop: () => void } {
    const entries: Promise<unknown>[] = [];
    let isStopped = false;
    turn.beforeMerge((request) => {
      if (isStopped) return false;
      checkRequest(request);
      const entry = (async () => this.append({ ...promptEntry(request, turn), merged: true }))();
      entry.catch(() => {}); // the turn fails with the error when its handler has ended
      entries.push(entry);
      return true;
    });
    const stop = (): void => {
      isStopped = true;
    };
    return { entries, stop };
  }

  /** Sends the title, which is then logged as any other update, so that all clients of the session show it. */
  async #titleFromPrompt(turn: Turn): Promise<void> {
    if (!this.#isUntitled) return;
    this.#isUntitled = false;
    const title = titleFrom(turn.text);
    if (title !== "") await turn.title(title);
  }
}

function promptEntry(prompted: Turn | IncomingPromptRequest, turn: Turn): Extract<LogEntry, { type: "prompt" }> {
  const messageId = turn.version?.messageIdOf("request" in prompted ? prompted.request : prompted);
  return {
    type: "prompt",
    prompt: prompted.prompt as readonly ContentBlock[],
    ...(messageId !== undefined && { messageId }),
  };
}

function stopReasonOf(result: PromptResult): StopReason {
  return ((typeof result === "object" ? result.stopReason : result) as StopReason | undefined) ?? "end_turn";
}
