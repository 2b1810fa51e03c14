import type { DialogueLog } from "../dialogue.js";
import { NO_WORK, type Pace } from "../pace.js";
import { after } from "../timer.js";
import { Inconclusive } from "../verdict.js";
import { isObject, type Json, member } from "../wire/values.js";
import type { AgentLink } from "./agent-link.js";
import { type AgentNotifier, type AgentSetup, ErrorResponse } from "./agent-setup.js";
import { AgentWire } from "./agent-wire.js";
import { kindOfRequest } from "./request-kinds.js";
import { Turn } from "./turn.js";
import { type Call, keyOf, type WireEvent } from "./wire-event.js";

/** The client's response to a request of the agent. */
export type ClientResponse =
  | { readonly result: unknown; readonly error?: undefined }
  | { readonly error: Json; readonly result?: undefined };

/** Options of {@link ScriptedAgent}. */
export interface ScriptedAgentOptions {
  readonly setup: AgentSetup;
  readonly log: DialogueLog;
  /** The time limit for a response of the client, in milliseconds. */
  readonly stepTimeoutMs: number;
  /** The response times of the client, over all scenarios. */
  readonly pace: Pace;
  /** Fails the scenario because a response is missing. */
  failNoResponse(sent: string, requirement?: string): never;
  onTurn(turn: Turn): void;
  /** Called for each request of the client, before the response is sent. */
  onRequest(call: Call): void;
}

/** A scripted agent. It responds to the requests that every agent handles; the scenario controls its turns. */
export class ScriptedAgent implements AgentNotifier {
  readonly wire: AgentWire;
  readonly log: DialogueLog;
  readonly #options: ScriptedAgentOptions;
  readonly #waiting = new Map<string, (response: ClientResponse) => void>();
  #sessions = 0;
  #nextId = 1000;
  #loggedIn = false;
  #isClosed = false;
  /** The turns of this connection that haven't ended. */
  readonly turns: Set<Turn> = new Set();

  constructor(link: AgentLink, options: ScriptedAgentOptions) {
    this.#options = options;
    this.log = options.log;
    this.wire = new AgentWire(link, options.log, (event) => this.#handle(event));
    void this.wire.closed.then(() => {
      this.#isClosed = true;
    });
  }

  notify(method: string, params: Json): void {
    this.wire.send({ method, params });
  }

  /**
   * Sends the client a request. Resolves with the response, or with `undefined` if none arrived in time.
   *
   * @throws {Inconclusive} if the response arrived after the time limit of a step but before twice that time: slowness
   * breaks no rule.
   */
  tryRequest(method: string, params: unknown, id: unknown = this.#nextId++): Promise<ClientResponse | undefined> {
    const response = this.awaitResponse(id, method);
    this.wire.send({ id, method, params });
    return response;
  }

  /**
   * Does the same as {@link tryRequest}, but fails the scenario if the response is missing: if the connection is
   * closed, or if the kit has waited much longer than a comparable response took.
   *
   * @throws {Inconclusive} if the kit can't know whether the client is slow or never responds, for example because its
   * user may have to act.
   */
  async request(
    method: string,
    params: unknown,
    sent: string,
    id?: unknown,
    requirement = "RPC-04",
  ): Promise<ClientResponse> {
    const start = performance.now();
    const response = await this.tryRequest(method, params, id);
    if (response) return response;
    this.checkMissing(method, performance.now() - start);
    return this.failNoResponse(sent, requirement);
  }

  /**
   * Checks that a response counts as missing after this time.
   *
   * @throws {Inconclusive} if the client may only be slow.
   */
  checkMissing(method: string, waitedMs: number): void {
    if (this.#isClosed || this.#options.pace.isMissing(this.#kindOf(method), waitedMs)) return;
    throw new Inconclusive(
      `too slow for these limits: ${method} got no response within ${seconds(waitedMs)}; --step sets a longer limit`,
    );
  }

  /** Does the same as {@link tryRequest}, but the caller itself sends the request, for example in pieces. */
  awaitResponse(id: unknown, method = "a request"): Promise<ClientResponse | undefined> {
    const { stepTimeoutMs, pace } = this.#options;
    const start = performance.now();
    const promise = new Promise<ClientResponse | undefined>((resolve, reject) => {
      const key = keyOf(id);
      const settle = (response: ClientResponse | undefined): void => {
        stopTimer();
        this.#waiting.delete(key);
        const tookMs = performance.now() - start;
        if (response !== undefined && showsPace(this.#kindOf(method), response))
          pace.recordResponseTime(this.#kindOf(method), tookMs);
        const { overflow } = this.wire;
        if (response === undefined && overflow !== undefined) reject(new Inconclusive(overflow));
        else if (response === undefined || tookMs <= stepTimeoutMs) resolve(response);
        else reject(new Inconclusive(tooSlow(method, tookMs, stepTimeoutMs)));
      };
      const stopTimer = after(2 * stepTimeoutMs, () => settle(undefined));
      this.#waiting.set(key, settle);
      void this.wire.closed.then(() => settle(undefined));
    });
    promise.catch(() => {}); // a scenario may end before it awaits the response
    return promise;
  }

  /** Fails the scenario, because the client sent no response. */
  failNoResponse(sent: string, requirement?: string): never {
    return this.#options.failNoResponse(sent, requirement);
  }

  /** Responds to a request of the client. */
  respond(call: Call, result: unknown): void {
    this.wire.send({ id: call.id, result });
  }

  /** Responds to a request of the client with an error. */
  refuse(call: Call, code: number, message: string, data?: unknown): void {
    this.wire.send({ id: call.id, error: data === undefined ? { code, message } : { code, message, data } });
  }

  #kindOf(method: string): string {
    return kindOfRequest(method, this.wire.state.opensMethod(method));
  }

  #handle(event: WireEvent): void {
    if (event.kind === "response") this.#handleResponse(event.message);
    else if (event.kind === "request") this.#handleRequest(event.call);
    else if (event.kind === "notification" && event.call.method === "session/cancel") {
      for (const turn of this.turns) if (turn.sessionId === member(event.call.params, "sessionId")) turn.cancel();
    }
  }

  #handleResponse(message: Json): void {
    const settle = this.#waiting.get(keyOf(message.id));
    settle?.(isObject(message.error) ? { error: message.error } : { result: message.result });
  }

  #handleRequest(call: Call): void {
    this.#options.onRequest(call);
    if (call.method === "session/prompt") {
      const turn = new Turn(this, call);
      this.turns.add(turn);
      this.#options.onTurn(turn);
      return;
    }
    void this.#respondTo(call);
  }

  async #respondTo(call: Call): Promise<void> {
    // As a real agent needs some time, it reads the messages that arrived together with the request before it responds
    await undefined;
    try {
      const handler = this.#options.setup.handlers?.[call.method];
      this.respond(call, await (handler ? handler(call, this) : this.#defaultResult(call)));
    } catch (error) {
      if (error instanceof ErrorResponse) this.refuse(call, error.code, error.message, error.data);
      else this.refuse(call, -32603, "Internal error");
    }
  }

  #defaultResult(call: Call): unknown {
    const { setup } = this.#options;
    switch (call.method) {
      case "initialize":
        return (
          setup.initialized ?? {
            protocolVersion: 1,
            agentCapabilities: setup.capabilities ?? {},
            agentInfo: { name: "acp-kit-conformance", version: "1" },
            authMethods: setup.authMethods ?? [],
          }
        );
      case "authenticate": {
        const type = this.wire.state.loginMethods().get(member(call.params, "methodId"));
        if (!this.wire.state.loginMethods().has(member(call.params, "methodId")) || type === "terminal") {
          throw new ErrorResponse(-32602, "There is no such login method");
        }
        this.#loggedIn = true;
        return {};
      }
      case "session/new":
        if (setup.loginRequired && !this.#loggedIn) throw new ErrorResponse(-32000, "Authentication required");
        this.#sessions++;
        return { sessionId: setup.sessionId?.(this.#sessions) ?? `session-${this.#sessions}`, ...setup.session };
      case "session/load":
        this.#needs("loadSession", call);
        this.#replay(member(call.params, "sessionId"));
        return { ...setup.session };
      case "session/resume":
        this.#needs("sessionCapabilities.resume", call);
        return { ...setup.session };
      case "session/list":
        this.#needs("sessionCapabilities.list", call);
        return { sessions: [] };
      case "session/close":
        this.#needs("sessionCapabilities.close", call);
        return {};
      case "session/delete":
        this.#needs("sessionCapabilities.delete", call);
        return {};
      case "logout":
        this.#needs("auth.logout", call);
        return {};
      case "session/set_mode":
        if (!setup.session?.modes) this.#unknown(call);
        return {};
      case "session/set_config_option":
        if (!setup.session?.configOptions) this.#unknown(call);
        return { configOptions: setup.session?.configOptions };
      default:
        return this.#unknown(call);
    }
  }

  #replay(sessionId: unknown): void {
    const say = (sessionUpdate: string, text: string): void =>
      this.notify("session/update", { sessionId, update: { sessionUpdate, content: { type: "text", text } } });
    say("user_message_chunk", "An earlier prompt.");
    say("agent_message_chunk", "The reply to it.");
  }

  #needs(capability: string, call: Call): void {
    if (!this.wire.state.advertised(capability)) this.#unknown(call);
  }

  #unknown(call: Call): never {
    throw new ErrorResponse(-32601, `This agent has no method ${call.method}`);
  }
}

/**
 * Returns whether a response shows how fast the client is. An error does not, because the client sends it without the
 * usual work. The exception is a request for a method that the client does not have, which always gets an error.
 */
function showsPace(kind: string, response: ClientResponse): boolean {
  return kind === NO_WORK || response.error === undefined;
}

function tooSlow(method: string, tookMs: number, stepTimeoutMs: number): string {
  return `too slow for these limits: the response to ${method} took ${seconds(tookMs)}, --step allows ${seconds(stepTimeoutMs)}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
