import type { AnyMessage, Conversion, Ends } from "./converted-wire.js";
import type { Random } from "./random.js";
import { modeIds } from "./words.js";

interface OpenPrompt {
  readonly sessionId: string;
  readonly messageId: string;
}

interface SentUpdate {
  readonly sessionUpdate: string;
  readonly content?: { readonly text: string };
  readonly availableCommands?: readonly object[];
  readonly toolCallId?: string;
  readonly title?: string | null;
  readonly _meta?: TerminalMeta;
  readonly currentModeId?: string;
  readonly configOptions?: readonly [{ readonly currentValue: string }];
}

/** The members with which agents of version 1 report their terminals. */
interface TerminalMeta {
  readonly terminal_info?: { readonly cwd: string };
  readonly terminal_output?: { readonly data: string };
  readonly terminal_exit?: { readonly exit_code: number };
}

/** The settings of a session. In version 2, the mode is an option. */
interface Settings {
  readonly mode: string;
  readonly option: string;
}

const METHOD_NOT_FOUND = -32601;

/** The requests to clients that version 2 doesn't have. */
const ofClients = /^(fs|terminal)\//;

/** The methods that version 2 doesn't have. */
const onlyInV1: ReadonlySet<string> = new Set(["session/load", "session/set_mode"]);

/** An agent of version 2. It inserts prompts at once, and reports its states. */
export class V2AgentWire implements Conversion {
  readonly #ends: Ends;
  readonly #random: Random;
  /** Creates unique ids of messages. */
  readonly #newId: () => string;
  /** The requests of the gateway that wait for their response, by id. */
  readonly #methods = new Map<
    unknown,
    { readonly method: string; readonly sessionId: string; readonly mode?: string | false }
  >();
  readonly #settings = new Map<string, Settings>();
  /** The output of each terminal so far. */
  readonly #outputs = new Map<string, Buffer>();
  readonly #prompts = new Map<unknown, OpenPrompt>();
  /** The sessions of open requests to users, by id. */
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
    if (method !== undefined && onlyInV1.has(method)) {
      this.#ends.toGateway({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } });
      return;
    }
    const mode = method === "session/set_config_option" && params.configId === "mode" && params.value;
    if (method === undefined) this.#answered(message);
    else if (id !== undefined) this.#methods.set(id, { method, sessionId: params?.sessionId, mode });
    if (mode) this.#ends.toPeer({ id, method: "session/set_mode", params: { ...params, modeId: mode } });
    else this.#ends.toPeer(message);
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
    } else if (method === "elicitation/create") {
      this.#asking.set(id, params.sessionId);
      this.#state(params.sessionId, { state: "requires_action" });
      this.#ends.toGateway(message);
    } else if (ofClients.test(method)) {
      // Version 2 has no files and terminals of clients
      this.#ends.toPeer({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } });
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

  /** The gateway responds to a request to users. */
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
      const { modes, configOptions, ...rest } = result;
      const sessionId = rest.sessionId ?? request?.sessionId;
      const mode = modes?.currentModeId ?? request?.mode;
      const option = configOptions?.[0]?.currentValue;
      const isChanged = mode || option !== undefined;
      const options = isChanged && this.#optionsOf(sessionId, { ...(mode && { mode }), ...(option && { option }) });
      this.#ends.toGateway({ id, result: options ? { ...rest, configOptions: options } : result });
    }
  }

  #update(sessionId: string, update: SentUpdate): void {
    const { content } = update;
    if (update._meta !== undefined) this.#command(sessionId, update, update._meta);
    else if (content !== undefined) {
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
    } else if (update.currentModeId !== undefined) this.#changed(sessionId, { mode: update.currentModeId });
    else if (update.configOptions !== undefined)
      this.#changed(sessionId, { option: update.configOptions[0].currentValue });
    else this.#send(sessionId, update);
  }

  #command(sessionId: string, { _meta: _, title, ...call }: SentUpdate, meta: TerminalMeta): void {
    const { toolCallId: terminalId = "", sessionUpdate: __, ...others } = call;
    // In version 2, `null` clears a member
    const rest = { ...others, ...(title != null && { title: title === "" ? null : title }) };
    const { terminal_info: info, terminal_output: output, terminal_exit: exit } = meta;
    const terminal = (members: object): void =>
      this.#send(sessionId, { sessionUpdate: "terminal_update", terminalId, ...members });
    if (info !== undefined) terminal({ cwd: info.cwd });
    if (output !== undefined) this.#output(sessionId, terminalId, Buffer.from(output.data), terminal);
    if (exit !== undefined) terminal({ exitStatus: { exitCode: exit.exit_code } });
    const update = { ...rest, toolCallId: terminalId, sessionUpdate: "tool_call_update" };
    if (Object.keys(rest).length > 0) this.#send(sessionId, update);
  }

  /** Reports output. Some agents cut it anywhere, and some send the whole output again. */
  #output(sessionId: string, terminalId: string, bytes: Buffer, terminal: (members: object) => void): void {
    const chunk = (part: Buffer): void => {
      const data = part.toString("base64");
      this.#send(sessionId, { sessionUpdate: "terminal_output_chunk", terminalId, data });
    };
    const whole = Buffer.concat([this.#outputs.get(terminalId) ?? Buffer.alloc(0), bytes]);
    this.#outputs.set(terminalId, whole);
    const way = this.#random.pick(["chunk", "chunks", "clear", "whole"] as const);
    if (way === "whole") terminal({ output: { data: whole.toString("base64") } });
    else if (way === "clear") {
      terminal({ output: null });
      chunk(whole);
    } else if (way === "chunks") {
      const at = this.#random.int(1, bytes.length - 1);
      chunk(bytes.subarray(0, at));
      chunk(bytes.subarray(at));
    } else chunk(bytes);
  }

  #changed(sessionId: string, change: Partial<Settings>): void {
    this.#send(sessionId, {
      sessionUpdate: "config_option_update",
      configOptions: this.#optionsOf(sessionId, change),
    });
  }

  /** Changes the settings of a session, and returns its options. */
  #optionsOf(sessionId: string, change: Partial<Settings>): object[] {
    const settings = { mode: "", option: "", ...this.#settings.get(sessionId), ...change };
    this.#settings.set(sessionId, settings);
    const { mode, option } = settings;
    const select = (configId: string, currentValue: string, values: readonly string[]): object => {
      const options = values.map((value) => ({ value, name: value }));
      return { type: "select", configId, name: configId, currentValue, options };
    };
    return [{ ...select("mode", mode, modeIds), category: "mode" }, select("option", option, [option])];
  }

  #state(sessionId: string, state: object): void {
    this.#send(sessionId, { sessionUpdate: "state_update", ...state });
  }

  #send(sessionId: string, update: object): void {
    this.#ends.toGateway({ method: "session/update", params: { sessionId, update } });
  }
}
