import { asText, type Json, member, shown } from "../wire/values.js";
import type { ClientResponse, ScriptedAgent } from "./scripted-agent.js";
import type { Call } from "./wire-event.js";

/** A turn of the client's prompt. The scenario is the agent: it sends the updates and the response. */
export class Turn {
  readonly agent: ScriptedAgent;
  readonly call: Call;
  readonly sessionId: unknown;
  /** Resolves when the client has cancelled the turn. */
  readonly cancelled: Promise<void>;
  readonly cancel: () => void;
  #ended = false;
  #inserted = false;

  constructor(agent: ScriptedAgent, call: Call) {
    this.agent = agent;
    this.call = call;
    this.sessionId = member(call.params, "sessionId");
    let cancel: () => void = () => {};
    this.cancelled = new Promise((resolve) => {
      cancel = resolve;
    });
    this.cancel = cancel;
  }

  /** Sends an update of this session. */
  update(update: Json): void {
    this.agent.notify("session/update", { sessionId: this.sessionId, update });
  }

  /** Sends an agent message. */
  say(text: string): void {
    const messageId = this.insert();
    const content = { type: "text", text };
    this.update({
      sessionUpdate: "agent_message_chunk",
      content,
      ...(messageId && { messageId: `${messageId}-reply` }),
    });
  }

  /**
   * In version 2, reports the user's message and the start of the work, and responds to the prompt, once. Returns the
   * id of the message; `undefined` in version 1.
   */
  insert(): string | undefined {
    if (member(this.agent.wire.state.initialized, "protocolVersion") !== 2) return undefined;
    const messageId = `message-${asText(this.call.id)}`;
    if (this.#inserted) return messageId;
    this.#inserted = true;
    this.update({ sessionUpdate: "user_message", messageId, content: member(this.call.params, "prompt") });
    this.update({ sessionUpdate: "state_update", state: "running" });
    this.agent.respond(this.call, { messageId });
    return messageId;
  }

  /** Sends the client a request, with this session's id before the other params. See {@link ScriptedAgent.request}. */
  request(method: string, params: Json, id?: unknown): Promise<ClientResponse> {
    const sent = `\`${method}\` with ${shown(params)}`;
    return this.agent.request(method, { sessionId: this.sessionId, ...params }, sent, id);
  }

  /** As {@link request}, but resolves with `undefined` if no response arrives in time. */
  tryRequest(method: string, params: Json, id?: unknown): Promise<ClientResponse | undefined> {
    return this.agent.tryRequest(method, { sessionId: this.sessionId, ...params }, id);
  }

  /**
   * Sends a request with an unknown method. Any response shows that the client has read the earlier messages and still
   * responds. Fails the scenario if there is no response.
   */
  async checkAlive(after: string): Promise<void> {
    const start = performance.now();
    const response = await this.agent.tryRequest("_acp-kit.test/alive", {});
    if (response) return;
    this.agent.checkMissing("_acp-kit.test/alive", performance.now() - start);
    this.agent.failNoResponse(`${after}, then a request`);
  }

  /** Ends the turn: in version 1 with the response to the prompt, in version 2 with the state `idle`. */
  end(stopReason: unknown = "end_turn"): void {
    if (this.insert() === undefined) this.respond({ stopReason });
    else if (this.#close()) this.update({ sessionUpdate: "state_update", state: "idle", stopReason });
  }

  /** Responds to the prompt with any result. */
  respond(result: unknown): void {
    if (this.#close()) this.agent.respond(this.call, result);
  }

  /** Responds to the prompt with an error. */
  fail(code: number, message: string): void {
    if (this.#close()) this.agent.refuse(this.call, code, message);
  }

  #close(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.agent.turns.delete(this);
    return true;
  }
}
