import type { AnyMessage, Conversion, Ends } from "./converted-wire.js";

/** What a client of version 2 remembers of the turns of its sessions, also when it connects again. */
export class SeenTurns {
  /** The message of the running turn, by session. */
  readonly running = new Map<string, string>();
  /** The ends of turns, by session and message. */
  readonly ended = new Map<string, object>();
  /** The sessions whose last state is `idle`. */
  readonly idle = new Set<string>();
}

interface UpdateParams {
  readonly sessionId: string;
  readonly update: {
    readonly sessionUpdate: string;
    readonly messageId?: string;
    readonly state?: string;
    readonly stopReason?: string;
    readonly error?: unknown;
  };
  readonly _meta?: object;
}

interface OpenPrompt {
  readonly sessionId: string;
  readonly messageId: string;
}

const CANCELLED = -32800;

/** A client of version 2, on one connection. A prompt has ended when the state after its message is `idle`. */
export class V2ClientWire implements Conversion {
  readonly #ends: Ends;
  readonly #seen: SeenTurns;
  readonly #problem: (message: string) => void;
  readonly #later: (run: () => void) => void;
  /** The requests of the client that wait for their response, by id. */
  readonly #methods = new Map<unknown, { readonly method: string; readonly sessionId: string }>();
  /** The prompts whose turns have not ended, by id. */
  readonly #inserted = new Map<unknown, OpenPrompt>();
  /** The sessions whose state the client knows on this connection. It has not opened the others. */
  readonly #known = new Set<string>();
  /** The sessions that are being replayed: the states in it are not those of turns that the client has seen. */
  readonly #replaying = new Set<string>();

  /** @param later calls a function after the updates that the agent has sent with a response. */
  constructor(
    ends: Ends,
    seen: SeenTurns,
    { problem, later }: { readonly problem: (message: string) => void; readonly later: (run: () => void) => void },
  ) {
    this.#ends = ends;
    this.#seen = seen;
    this.#problem = problem;
    this.#later = later;
  }

  sent(message: AnyMessage): void {
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) this.#methods.set(id, { method, sessionId: params?.sessionId });
    if (method === "initialize") {
      const { clientCapabilities, _meta } = params;
      const capabilities = clientCapabilities._meta === undefined ? {} : { _meta: clientCapabilities._meta };
      const info = { name: "client", version: "1" };
      this.#ends.toGateway({ id, method, params: { protocolVersion: 2, info, capabilities, ...(_meta && { _meta }) } });
    } else if (method === "session/load") {
      this.#replaying.add(params.sessionId);
      this.#ends.toGateway({ id, method: "session/resume", params: { ...params, replayFrom: { type: "start" } } });
    } else this.#ends.toGateway(message);
  }

  received(message: AnyMessage): void {
    const { id, method, params } = message;
    if (method === undefined) this.#responded(message);
    else if (method === "session/update") this.#updated(params);
    else if (method === "session/request_permission") {
      const { subject, title: _, ...rest } = params;
      this.#ends.toPeer({ id, method, params: { ...rest, toolCall: subject.toolCall } });
    } else {
      if (id !== undefined && /^(fs|terminal)\//.test(method))
        this.#problem(`dialogs: a client of version 2 received a request ${method}`);
      this.#ends.toPeer(message);
    }
  }

  #responded(message: AnyMessage): void {
    const { id, result, error } = message;
    const request = this.#methods.get(id);
    this.#methods.delete(id);
    if (request?.method === "session/load") {
      this.#replaying.delete(request.sessionId);
      this.#later(() => this.#settle());
    }
    if (request?.method !== "session/prompt") this.#ends.toPeer(message);
    else if (error?.code === CANCELLED) this.#ends.toPeer({ id, result: { stopReason: "cancelled" } });
    else if (error !== undefined) this.#ends.toPeer(message);
    else if (typeof result?.messageId !== "string") {
      this.#problem(`versions: a response to a prompt of version 2 is ${JSON.stringify(result)}`);
      this.#ends.toPeer(message);
    } else {
      this.#inserted.set(id, { sessionId: request.sessionId, messageId: result.messageId });
      this.#settle();
    }
  }

  #updated({ sessionId, update, _meta }: UpdateParams): void {
    const { sessionUpdate, messageId = "", state, stopReason, error } = update;
    const { running, ended, idle } = this.#seen;
    const pass = (passed: object): void =>
      this.#ends.toPeer({ method: "session/update", params: { sessionId, update: passed, ...(_meta && { _meta }) } });
    if (sessionUpdate === "user_message" && !this.#replaying.has(sessionId)) running.set(sessionId, messageId);
    if (sessionUpdate !== "state_update") {
      pass(sessionUpdate === "user_message" ? { ...update, sessionUpdate: "user_message_chunk" } : update);
      return;
    }
    this.#known.add(sessionId);
    const isIdle = state === "idle";
    pass({ sessionUpdate: "session_info_update", _meta: { "acp-kit/turn": isIdle ? "idle" : "running" } });
    if (!isIdle) {
      idle.delete(sessionId);
      return;
    }
    const isReplayed = this.#replaying.has(sessionId);
    const message = running.get(sessionId);
    const prompts = [...this.#inserted.values()];
    const isInserted = prompts.some((prompt) => prompt.sessionId === sessionId && prompt.messageId === message);
    // A repeated state may be from before the running turn, but not after the response to its prompt on this connection
    const isRepeated = idle.has(sessionId) && !isReplayed && !isInserted;
    idle.add(sessionId);
    if (!isRepeated) running.delete(sessionId);
    const end = isReplayed || stopReason === undefined ? unseenEnd : { result: { stopReason } };
    if (message !== undefined && !isRepeated)
      ended.set(`${sessionId}/${message}`, stopReason === "error" ? { error } : end);
    this.#settle();
  }

  /** Ends the prompts whose turns have ended. */
  #settle(): void {
    this.#settleBy(({ sessionId, messageId }) => this.#seen.ended.get(`${sessionId}/${messageId}`));
    // A client that has loaded the session, or uses it without having opened it, did not see the end
    const { idle, running } = this.#seen;
    const isIdle = (sessionId: string): boolean =>
      !this.#known.has(sessionId) || (idle.has(sessionId) && !running.has(sessionId));
    this.#later(() => this.#settleBy(({ sessionId }) => (isIdle(sessionId) ? unseenEnd : undefined)));
  }

  #settleBy(endOf: (prompt: OpenPrompt) => object | undefined): void {
    for (const [id, prompt] of this.#inserted) {
      const end = endOf(prompt);
      // A replay ends with a state, before the client has handled the whole replay
      if (end === undefined || this.#replaying.has(prompt.sessionId)) continue;
      this.#inserted.delete(id);
      this.#ends.toPeer({ id, ...end });
    }
  }
}

const unseenEnd = { result: { stopReason: "unseen" } };
