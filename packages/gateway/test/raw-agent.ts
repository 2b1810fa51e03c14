import { Connection, methodNotFound, type RequestContext, RpcError, type Transport } from "@acp-kit/jsonrpc";

interface Settle {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A turn whose course the test controls. */
export class RawTurn {
  readonly sessionId: string;
  readonly text: string;
  readonly #connection: Connection;
  readonly #settle: Settle;
  isCancelled = false;

  constructor(connection: Connection, params: PromptParams, settle: Settle) {
    this.#connection = connection;
    this.sessionId = params.sessionId;
    this.text = params.prompt.map(({ text }) => text).join("");
    this.#settle = settle;
  }

  say(text: string): void {
    this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  update(update: object): void {
    void this.#connection.notify("session/update", { sessionId: this.sessionId, update });
  }

  /** Sends a request about the session to the client. */
  request(method: string, params: object = {}, signal?: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, { ...params, sessionId: this.sessionId }, { signal });
  }

  permission(): Promise<unknown> {
    return this.request("session/request_permission", { toolCall: { toolCallId: "t" }, options });
  }

  end(stopReason = "end_turn"): void {
    this.#settle.resolve({ stopReason });
  }

  fail(error: RpcError): void {
    this.#settle.reject(error);
  }
}

export const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

interface PromptParams {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text?: string }[];
}

export interface RawAgentOptions {
  readonly capabilities?: object;
  /** Returns whether this agent can load or resume the session with this id. By default it can't. */
  readonly knows?: (sessionId: string) => boolean;
  /** The methods to which this agent never responds. */
  readonly hangs?: readonly string[];
  /** The text of a message that this agent sends right after its response to load and resume. */
  readonly afterReopen?: string;
  /** Members of its responses to new, load and resume. */
  readonly setup?: object;
}

/** An agent that can load all sessions. */
export const loads: RawAgentOptions = { capabilities: { loadSession: true }, knows: () => true };
/** An agent that can resume all sessions. */
export const resumes: RawAgentOptions = {
  capabilities: { sessionCapabilities: { resume: {}, close: {} } },
  knows: () => true,
};

/** An agent process under a test's control. */
export class RawAgent {
  readonly connection: Connection;
  /** The received requests and notifications, in order. */
  readonly received: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  readonly turns: RawTurn[] = [];
  readonly #waiting: ((turn: RawTurn) => void)[] = [];
  #sessions = 0;

  constructor(
    transport: Transport,
    { capabilities = {}, knows = () => false, hangs = [], afterReopen, setup = {} }: RawAgentOptions = {},
  ) {
    this.connection = new Connection(transport, {
      fallback: {
        request: (method) => ({ handler: (params) => this.#other(method, params as Record<string, unknown>) }),
        notification: (method) => ({ handler: (params) => this.#notified(method, params as Record<string, unknown>) }),
      },
    });
    const on = (method: string, handler: (params: Record<string, unknown>, context: RequestContext) => unknown): void =>
      this.connection.onRequest(method, (params, context) => {
        this.received.push({ method, params: params as Record<string, unknown> });
        return hangs.includes(method) ? new Promise(() => {}) : handler(params as Record<string, unknown>, context);
      });
    on("initialize", () => ({
      protocolVersion: 1,
      agentCapabilities: capabilities,
      agentInfo: { name: "raw", version: "1" },
    }));
    on("session/new", () => ({ sessionId: `agent-${++this.#sessions}`, ...setup }));
    const reopen = ({ sessionId }: Record<string, unknown>, { afterResponse }: RequestContext): object => {
      if (!knows(sessionId as string)) throw new RpcError(-32002, "Resource not found");
      const say = (text: string): void => {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
        void this.connection.notify("session/update", { sessionId, update });
      };
      say("REPLAY");
      if (afterReopen !== undefined) afterResponse(() => say(afterReopen));
      return setup;
    };
    on("session/load", reopen);
    on("session/resume", reopen);
    on("session/close", () => ({}));
    on("session/set_mode", () => ({}));
    on(
      "session/prompt",
      (params) =>
        new Promise((resolve, reject) => {
          const turn = new RawTurn(this.connection, params as unknown as PromptParams, { resolve, reject });
          this.turns.push(turn);
          this.#waiting.shift()?.(turn);
        }),
    );
    this.connection.listen();
  }

  /** The next prompt that arrives. */
  nextTurn(): Promise<RawTurn> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  methods(): string[] {
    return this.received.map(({ method }) => method);
  }

  #notified(method: string, params: Record<string, unknown>): void {
    this.received.push({ method, params });
    if (method !== "session/cancel") return;
    for (const turn of this.turns) if (turn.sessionId === params.sessionId) turn.isCancelled = true;
  }

  #other(method: string, params: Record<string, unknown>): unknown {
    this.received.push({ method, params });
    if (method.startsWith("_")) return { method, ...params };
    throw methodNotFound(method);
  }
}
