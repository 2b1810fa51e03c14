import type { AgentConnection, PromptResult, SessionHandle, Turn } from "@acp-kit/agent";
import type { ContentBlock, SessionNotification, SessionUpdate, StopReason } from "@acp-kit/types";
import { LeaseLostError } from "./errors.js";
import type { LogEntry } from "./log-entry.js";
import type { Answer, OwnedSessions, SessionLog, SessionRecord } from "./session-store.js";

/** The sessions that this process writes, whichever connection they are open on. */
export class LiveSessions {
  readonly #sessions = new Map<string, LiveSession>();
  /** Updates that are in the log already: what is told again, and what another connection is told of a turn. */
  readonly #told = new WeakSet<SessionUpdate>();

  find(sessionId: string): LiveSession | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Takes the right to write a session, unless this process has it. */
  async open(
    sessions: OwnedSessions,
    { sessionId, title }: Pick<SessionRecord, "sessionId" | "title">,
  ): Promise<LiveSession> {
    const existing = this.#sessions.get(sessionId);
    if (existing !== undefined) return existing;
    const log = await sessions.open(sessionId);
    // Two connections may have asked at once: the first that got here is the session.
    const other = this.#sessions.get(sessionId);
    if (other !== undefined) return other.renew(log);
    const live = new LiveSession(log, title === null, () => this.#sessions.delete(sessionId));
    this.#sessions.set(sessionId, live);
    return live;
  }

  /** An update that is not to be written: a copy, for the same object may be sent again and mean something new. */
  told(update: SessionUpdate): SessionUpdate {
    const copy = { ...update };
    this.#told.add(copy);
    return copy;
  }

  /** Writes an update down and tells the other connections of its session. */
  written({ sessionId, update }: SessionNotification, connection: AgentConnection): Answer<void> {
    if (this.#told.delete(update)) return undefined;
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw new LeaseLostError(sessionId);
    const written = session.append({ type: "update", update });
    const tell = (): void => session.tellOthers(connection, () => this.told(update));
    if (written === undefined) return tell();
    return written.then(tell);
  }
}

/** One session that this process writes. */
export class LiveSession {
  readonly #joined = new Map<AgentConnection, SessionHandle>();
  readonly #ended: () => void;
  #log: SessionLog;
  #turn: Promise<void> | undefined;
  #untitled: boolean;

  constructor(log: SessionLog, untitled: boolean, ended: () => void) {
    this.#log = log;
    this.#untitled = untitled;
    this.#ended = ended;
  }

  /** The same session, opened once more. */
  renew(log: SessionLog): this {
    this.#log = log;
    return this;
  }

  append(entry: LogEntry): Promise<void> | undefined {
    if (entry.type === "update" && entry.update.sessionUpdate === "session_info_update" && "title" in entry.update) {
      this.#untitled = false;
      return both(this.#log.append(entry), this.#log.setTitle(entry.update.title ?? null));
    }
    return both(this.#log.append(entry));
  }

  /** From now on the connection is told what happens here. */
  join(connection: AgentConnection, handle: SessionHandle): void {
    if (this.#joined.has(connection)) return;
    this.#joined.set(connection, handle);
    void connection.closed.then(async () => {
      while (this.#turn !== undefined) await this.#turn; // it may run on this connection: until then it is cancelled there
      await this.leave(connection);
    });
  }

  isJoinedBy(connection: AgentConnection): boolean {
    return this.#joined.has(connection);
  }

  /** The connection has closed the session, or is gone. The last one gives the session back, when its turn has ended. */
  async leave(connection: AgentConnection): Promise<void> {
    this.#joined.delete(connection);
    while (this.#turn !== undefined && this.#joined.size === 0) await this.#turn;
    if (this.#joined.size > 0) return;
    this.#ended();
    await this.#log.release();
  }

  tellOthers(connection: AgentConnection, copy: () => SessionUpdate): void {
    for (const [other, handle] of this.#joined) if (other !== connection) void handle.update(copy());
  }

  /** Cancels the turn, whichever connection it runs on. */
  cancel(): void {
    for (const connection of this.#joined.keys()) connection.cancelTurn(this.#log.sessionId);
  }

  /** Cancels the turn and waits until it has ended. */
  async stop(): Promise<void> {
    this.cancel();
    while (this.#turn !== undefined) await this.#turn;
    this.#ended();
  }

  /** Plays a turn after the one that runs, between its prompt and its end in the log. */
  async play(turn: Turn, prompt: () => Promise<PromptResult>, titled: boolean): Promise<PromptResult> {
    while (this.#turn !== undefined) await this.#turn;
    if (turn.signal.aborted) return "cancelled";
    let done = (): void => {};
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    let stopReason: StopReason | "error" = "error";
    try {
      await this.append({ type: "prompt", prompt: turn.prompt as readonly ContentBlock[] });
      if (titled) await this.#titleFrom(turn.text);
      const result = await prompt();
      stopReason = turn.signal.aborted ? "cancelled" : stopReasonOf(result);
      return result;
    } catch (error) {
      if (turn.signal.aborted) stopReason = "cancelled";
      throw error;
    } finally {
      try {
        await this.append({ type: "end", stopReason });
      } finally {
        this.#turn = undefined;
        done();
      }
    }
  }

  async #titleFrom(text: string): Promise<void> {
    if (!this.#untitled) return;
    this.#untitled = false;
    const [line = ""] = text.trim().split("\n");
    if (line !== "") await this.#log.setTitle(line.length > 80 ? `${line.slice(0, 79)}…` : line);
  }
}

function stopReasonOf(result: PromptResult): StopReason {
  return (typeof result === "object" ? result.stopReason : result) ?? "end_turn";
}

/** `undefined` when both were done at once. */
function both(first: Answer<void>, second?: Answer<void>): Promise<void> | undefined {
  if (first === undefined && second === undefined) return undefined;
  return Promise.all([first, second]).then(() => {});
}
