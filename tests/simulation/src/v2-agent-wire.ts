import type { AnyMessage, Conversion, Ends } from "./converted-wire.js";
import type { Random } from "./random.js";

interface OpenPrompt {
  readonly sessionId: string;
  readonly messageId: string;
}

interface SentUpdate {
  readonly sessionUpdate: string;
  readonly content?: { readonly text: string };
  readonly availableCommands?: readonly object[];
}

/** An agent of version 2. It inserts prompts at once, and reports its states. */
export class V2AgentWire implements Conversion {
  readonly #ends: Ends;
  readonly #random: Random;
  /** Creates unique ids of messages. */
  readonly #newId: () => string;
  /** The requests of the gateway that wait for their response, by id. */
  readonly #methods = new Map<unknown, { readonly method: string; readonly sessionId: string }>();
  readonly #prompts = new Map<unknown, OpenPrompt>();
  /** The sessions of open permission requests, by id. */
  readonly #asking = new Map<unknown, string>();
  /** The message to which a session's next chunk belongs, and its text so far. */
  readonly #messages = new Map<string, { readonly messageId: string; text: string }>();

  constructor(ends: Ends, random: Random, newId: () => string) {
    this.#ends = ends;
    this.#random = random;
    this.#newId = newId;
  }

  received(message: AnyMessage): void {
    const { id, method, params } = message;
    if (method === undefined) this.#answered(message);
    else if (id !== undefined) this.#methods.set(id, { method, sessionId: params?.sessionId });
    this.#ends.toPeer(message);
    if (method === "session/prompt") this.#insert(id, params.sessionId, params.prompt);
  }

  sent(message: AnyMessage): void {
    const { id, method, params } = message;
    if (method === undefined) this.#responded(message);
    else if (method === "session/update") this.#update(params.sessionId, params.update);
    else if (method === "session/request_permission") {
      const { sessionId, toolCall, options } = params;
      this.#asking.set(id, sessionId);
      this.#state(sessionId, { state: "requires_action" });
      const subject = { type: "tool_call", toolCall };
      this.#ends.toGateway({ id, method, params: { sessionId, title: "Allow?", subject, options } });
    } else this.#ends.toGateway(message);
  }

  /** Reports the message of a prompt, in one of the orders that agents may choose. */
  #insert(id: unknown, sessionId: string, content: unknown): void {
    const messageId = this.#newId();
    this.#prompts.set(id, { sessionId, messageId });
    this.#messages.delete(sessionId);
    const inserted = (): void => this.#send(sessionId, { sessionUpdate: "user_message", messageId, content });
    const responded = (): void => this.#ends.toGateway({ id, result: { messageId } });
    const running = (): void => this.#state(sessionId, { state: "running" });
    const orders = [
      [inserted, responded, running],
      [running, inserted, responded],
      [responded, inserted, running],
    ];
    for (const step of this.#random.pick(orders) ?? []) step();
  }

  /** The gateway responds to a permission request. */
  #answered({ id }: AnyMessage): void {
    const sessionId = this.#asking.get(id);
    this.#asking.delete(id);
    const isLast = sessionId !== undefined && ![...this.#asking.values()].includes(sessionId);
    const isRunning = [...this.#prompts.values()].some((prompt) => prompt.sessionId === sessionId);
    if (isLast && isRunning) this.#state(sessionId, { state: "running" });
  }

  #responded({ id, result, error }: AnyMessage): void {
    const request = this.#methods.get(id);
    this.#methods.delete(id);
    const prompt = this.#prompts.get(id);
    this.#prompts.delete(id);
    if (prompt !== undefined) {
      const end = error === undefined ? { stopReason: result.stopReason } : { stopReason: "error", error };
      this.#state(prompt.sessionId, { state: "idle", ...end });
      return;
    }
    if (error !== undefined) this.#ends.toGateway({ id, error });
    else if (request?.method === "initialize") {
      const info = { name: "agent", version: "1" };
      this.#ends.toGateway({ id, result: { protocolVersion: 2, info, capabilities: { session: {} } } });
    } else {
      if (request?.method === "session/resume") this.#state(request.sessionId, { state: "idle" });
      this.#ends.toGateway({ id, result });
    }
  }

  #update(sessionId: string, update: SentUpdate): void {
    const { content } = update;
    if (content !== undefined) {
      const message = this.#messages.get(sessionId) ?? { messageId: this.#newId(), text: "" };
      this.#messages.set(sessionId, message);
      message.text += content.text;
      const { messageId } = message;
      this.#send(sessionId, { ...update, messageId });
      // Some agents repeat a message as a whole. After the turn, retention may have removed its beginning.
      const isRunning = [...this.#prompts.values()].some((prompt) => prompt.sessionId === sessionId);
      const whole = [{ type: "text", text: message.text }];
      if (isRunning && this.#random.chance(0.1))
        this.#send(sessionId, { sessionUpdate: "agent_message", messageId, content: whole });
    } else if (update.sessionUpdate === "tool_call") {
      if (this.#random.chance(0.5)) this.#messages.delete(sessionId);
      this.#send(sessionId, { ...update, sessionUpdate: "tool_call_update" });
    } else if (update.sessionUpdate === "available_commands_update") {
      const availableCommands = (update.availableCommands ?? []).map((command) => ({ ...command, type: "command" }));
      this.#send(sessionId, { ...update, availableCommands });
    } else this.#send(sessionId, update);
  }

  #state(sessionId: string, state: object): void {
    this.#send(sessionId, { sessionUpdate: "state_update", ...state });
  }

  #send(sessionId: string, update: object): void {
    this.#ends.toGateway({ method: "session/update", params: { sessionId, update } });
  }
}
