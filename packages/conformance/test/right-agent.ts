// A small agent that keeps every rule, and mutations that make it break one. It shares no code with the kit.
import { type ChildProcess, spawn } from "node:child_process";

// biome-ignore lint/suspicious/noExplicitAny: a wrong agent sends messages of any shape, and this file reads their members everywhere
export type Message = Record<string, any>;

/** One change of the agent's behaviour: a mistake, or unusual but legal behaviour. */
export interface Mutation {
  /** Called first with each incoming message. Returns `true` if the mutation has handled the message. */
  readonly receive?: (message: Message, agent: RightAgent) => boolean | undefined;
  /** Called first with each incoming line. Returns `true` if the mutation has handled the line. */
  readonly receiveLine?: (line: string, agent: RightAgent) => boolean;
  /** Returns the messages or raw lines to write instead of a message, or `undefined` to write the message itself. */
  readonly write?: (message: Message, agent: RightAgent) => readonly (Message | string)[] | undefined;
  /** The agent keeps running when its input ends. */
  readonly immortal?: boolean;
}

interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly history: Message[];
  turns: number;
  calls: number;
  mode: string;
  model: string;
  touched: boolean;
  stop?: () => void;
}

/** The sessions that the agent stores, which outlive its process. */
export type Store = Map<string, Session>;

class Stopped extends Error {}
class Refused extends Error {
  readonly error: Message;
  constructor(error: Message) {
    super(error.message);
    this.error = error;
  }
}

const invalid = (message: string, data?: unknown): Refused =>
  new Refused({ code: -32602, message, ...(data !== undefined && { data }) });
const missing = (sessionId: unknown): Refused =>
  new Refused({ code: -32002, message: "No such session", data: { sessionId } });
const isAbsolute = (path: unknown): boolean => typeof path === "string" && path.startsWith("/");

export class RightAgent {
  readonly sessions = new Map<string, Session>();
  readonly store: Store;
  readonly mutation: Mutation;
  client: Message = {};
  initialized = false;
  loggedOut = false;
  ended = false;
  readonly #write: (text: string) => void;
  /** Ends the process of the agent. */
  exit: (code: number) => void = () => {};
  readonly #open = new Map<number, { resolve(result: Message): void; reject(error: Error): void }>();
  readonly #servers: ChildProcess[] = [];
  #nextId = 1;

  constructor(write: (text: string) => void, store: Store, mutation: Mutation = {}) {
    this.#write = write;
    this.store = store;
    this.mutation = mutation;
  }

  end(): void {
    this.ended = true;
    for (const session of this.sessions.values()) session.stop?.();
    for (const server of this.#servers) server.kill();
  }

  /** Writes a message, after the mutation has changed it. */
  send(message: Message): void {
    for (const each of this.mutation.write?.(message, this) ?? [message])
      this.raw(typeof each === "string" ? each : JSON.stringify(each));
  }

  raw(line: string): void {
    if (!this.ended) this.#write(`${line}\n`);
  }

  update(session: Session, update: Message): void {
    if (
      [
        "user_message_chunk",
        "agent_message_chunk",
        "agent_thought_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
      ].includes(update.sessionUpdate)
    ) {
      session.history.push(update);
    }
    this.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: session.id, update } });
  }

  request(method: string, params: Message): Promise<Message> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  line(text: string): void {
    if (text.trim() === "" || this.mutation.receiveLine?.(text, this)) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
      return;
    }
    if (
      typeof message !== "object" ||
      message === null ||
      Array.isArray(message) ||
      (!("method" in message) && !("result" in message) && !("error" in message))
    ) {
      this.send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } });
      return;
    }
    this.message(message as Message);
  }

  message(message: Message): void {
    if (this.mutation.receive?.(message, this)) return;
    if (!("method" in message)) {
      const open = this.#open.get(message.id);
      this.#open.delete(message.id);
      if (message.error) open?.reject(new Refused({ code: -32603, message: "The client refused" }));
      else open?.resolve(message.result);
      return;
    }
    if (!("id" in message)) {
      if (message.method === "session/cancel") this.sessions.get(message.params?.sessionId)?.stop?.();
      return;
    }
    void this.handleRequest(message).then(
      (result) => this.send({ jsonrpc: "2.0", id: message.id, result }),
      (error) =>
        this.send({
          jsonrpc: "2.0",
          id: message.id,
          error: error instanceof Refused ? error.error : { code: -32603, message: "Internal error" },
        }),
    );
  }

  session(id: unknown): Session {
    const session = this.sessions.get(String(id));
    if (!session) throw missing(id);
    return session;
  }

  async handleRequest({ method, params, id }: Message): Promise<Message> {
    if (Array.isArray(params)) throw invalid("Params are an object");
    const p: Message = params ?? {};
    if (method === "initialize") return this.#initialize(p);
    if (!this.initialized && !method.startsWith("_")) throw new Refused({ code: -32600, message: "Not initialized" });
    switch (method) {
      case "authenticate":
        if (p.methodId !== "token") throw invalid("No such login");
        this.loggedOut = false;
        return {};
      case "logout":
        this.loggedOut = true;
        return {};
      case "session/new":
        return this.#newSession(p);
      case "session/load":
      case "session/resume": {
        const session = this.store.get(p.sessionId);
        if (!session) throw missing(p.sessionId);
        this.#checkPlace(p);
        this.sessions.set(session.id, session);
        if (method === "session/load") {
          for (const update of session.history)
            this.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: session.id, update } });
        }
        return this.state(session);
      }
      case "session/list": {
        if (p.cursor !== undefined && p.cursor !== null) throw invalid("No such cursor");
        const all = [...this.store.values()].filter(({ cwd }) => typeof p.cwd !== "string" || cwd === p.cwd);
        return { sessions: all.map(({ id, cwd }) => ({ sessionId: id, cwd, updatedAt: "2026-01-01T00:00:00Z" })) };
      }
      case "session/delete":
        this.store.delete(p.sessionId);
        return {};
      case "session/close": {
        const session = this.session(p.sessionId);
        session.stop?.();
        this.sessions.delete(session.id);
        return {};
      }
      case "session/set_mode": {
        const session = this.session(p.sessionId);
        if (!["ask", "code"].includes(p.modeId)) throw invalid("No such mode");
        session.mode = p.modeId;
        return {};
      }
      case "session/set_config_option": {
        const session = this.session(p.sessionId);
        if (p.configId === "loud" && typeof p.value === "boolean") return { configOptions: this.options(session) };
        if (p.configId !== "model" || !["small", "large"].includes(p.value)) throw invalid("No such option or value");
        session.model = p.value;
        session.touched = true;
        return { configOptions: this.options(session) };
      }
      case "session/prompt":
        return this.#prompt(p, id);
      default:
        throw new Refused({ code: -32601, message: "Method not found" });
    }
  }

  #initialize(p: Message): Message {
    const object = (value: unknown): Message => (typeof value === "object" && value !== null ? (value as Message) : {});
    this.client = object(p.clientCapabilities);
    this.initialized = true;
    const on = {};
    return {
      protocolVersion: 1,
      agentInfo: { name: "right-agent", version: "1.0.0" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        auth: { logout: on },
        sessionCapabilities: { list: on, delete: on, resume: on, close: on, additionalDirectories: on },
      },
      authMethods: [{ id: "token", name: "Token" }],
    };
  }

  #checkPlace(p: Message): void {
    if (!isAbsolute(p.cwd)) throw invalid("cwd is an absolute path");
    if (p.mcpServers !== null && p.mcpServers !== undefined && !Array.isArray(p.mcpServers))
      throw invalid("mcpServers is a list");
    const { additionalDirectories = [] } = p;
    if (!Array.isArray(additionalDirectories) || !additionalDirectories.every(isAbsolute))
      throw invalid("additionalDirectories is a list of absolute paths");
  }

  #newSession(p: Message): Message {
    if (this.loggedOut) throw new Refused({ code: -32000, message: "Log in first" });
    if (!("mcpServers" in p)) throw invalid("mcpServers is required");
    this.#checkPlace(p);
    for (const { command, args, env } of p.mcpServers ?? []) this.#connect(command, args, env);
    const session: Session = {
      id: `session-${crypto.randomUUID()}`, // never the id of a deleted session
      cwd: p.cwd,
      history: [],
      turns: 0,
      calls: 0,
      mode: "ask",
      model: "small",
      touched: false,
    };
    while (this.store.has(session.id)) (session as { id: string }).id += "x";
    this.sessions.set(session.id, session);
    this.store.set(session.id, session);
    return { sessionId: session.id, ...this.state(session) };
  }

  #connect(command: string, args: string[], env: { name: string; value: string }[]): void {
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const server = spawn(command, args, { env: { ...process.env, ...own }, stdio: ["pipe", "ignore", "ignore"] });
    server.on("error", () => {});
    server.stdin.on("error", () => {});
    server.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {} } })}\n`,
    );
    this.#servers.push(server);
  }

  state({ id, mode }: Session): Message {
    const modes = {
      currentModeId: mode,
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    };
    return { modes, configOptions: this.options(this.session(id)) };
  }

  options({ model }: Session): Message[] {
    const options = [
      { value: "small", name: "Small" },
      { value: "large", name: "Large" },
    ];
    const select = { id: "model", name: "Model", type: "select", currentValue: model, options, category: "model" };
    const loud = { id: "loud", name: "Loud", type: "boolean", currentValue: false };
    const other = { ...select, id: "speed", name: "Speed", currentValue: "small" };
    return this.client.session?.configOptions?.boolean ? [select, other, loud] : [select, other];
  }

  async #prompt(p: Message, id: unknown): Promise<Message> {
    const session = this.session(p.sessionId);
    if (!Array.isArray(p.prompt)) throw invalid("prompt is a list of blocks");
    for (const { type } of p.prompt)
      if (!["text", "resource_link", "image", "resource"].includes(type)) throw invalid(`No ${type} here`);
    if (session.stop) throw new Refused({ code: -32600, message: "A turn is running" });
    session.turns++;
    let stop: (() => void) | undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new Stopped());
    });
    stopped.catch(() => {});
    session.stop = stop ?? (() => {});
    for (const content of p.prompt) session.history.push({ sessionUpdate: "user_message_chunk", content });
    const [, command = "", rest = ""] = /^\/(\w+)\s*([\s\S]*)$/.exec(p.prompt[0]?.text ?? "") ?? [];
    try {
      await Promise.race([new Turn(this, session, stopped, id).play(command, rest), stopped]);
      return { stopReason: "end_turn" };
    } catch (error) {
      if (error instanceof Stopped) return { stopReason: "cancelled" };
      throw error;
    } finally {
      delete session.stop;
    }
  }
}

/** A turn of the agent. The text of the prompt decides its actions. */
class Turn {
  readonly agent: RightAgent;
  readonly session: Session;
  readonly stopped: Promise<never>;
  readonly promptId: unknown;
  constructor(agent: RightAgent, session: Session, stopped: Promise<never>, promptId: unknown) {
    this.agent = agent;
    this.session = session;
    this.stopped = stopped;
    this.promptId = promptId;
  }

  update(sessionUpdate: string, rest: Message): void {
    this.agent.update(this.session, { sessionUpdate, ...rest });
  }
  say(text: string): void {
    this.update("agent_message_chunk", { content: { type: "text", text }, messageId: `message-${this.session.turns}` });
  }
  request(method: string, params: Message): Promise<Message> {
    return Promise.race([this.agent.request(method, { sessionId: this.session.id, ...params }), this.stopped]);
  }
  callId(): string {
    return `call-${++this.session.calls}`;
  }
  path(name: string): string {
    return isAbsolute(name) ? name : `${this.session.cwd}/${name}`;
  }
  #permission(toolCallId: string): Promise<Message> {
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    return this.request("session/request_permission", { toolCall: { toolCallId }, options });
  }

  async play(command: string, rest: string): Promise<void> {
    const { client } = this.agent;
    switch (command) {
      case "slow":
        this.say("one");
        await this.stopped;
        return;
      case "permission":
      case "edit": {
        const toolCallId = this.callId();
        const path = this.path(rest);
        const content = command === "edit" ? [{ type: "diff", path, newText: "new" }] : [];
        this.update("tool_call", {
          toolCallId,
          title: "Edit",
          name: "edit",
          kind: "edit",
          status: "pending",
          content,
          locations: [{ path, line: 1 }],
        });
        const { outcome } = await this.#permission(toolCallId);
        if (outcome?.optionId !== "yes") {
          this.update("tool_call_update", { toolCallId, status: "failed" });
          return this.say("I leave it.");
        }
        this.update("tool_call_update", { toolCallId, status: "in_progress" });
        if (command === "edit" && client.fs?.writeTextFile === true)
          await this.request("fs/write_text_file", { path, content: "new" });
        this.update("tool_call_update", { toolCallId, status: "completed" });
        return this.say("Done.");
      }
      case "read":
        if (client.fs?.readTextFile !== true) return this.say("I can't.");
        await this.request("fs/read_text_file", { path: this.path(rest) }).catch(caught);
        return this.say("Read.");
      case "write": {
        if (client.fs?.writeTextFile !== true) return this.say("I can't.");
        const [name = "", ...words] = rest.split(" ");
        await this.request("fs/write_text_file", { path: this.path(name), content: words.join(" ") }).catch(caught);
        return this.say("Written.");
      }
      case "run":
      case "timeout": {
        if (client.terminal !== true) return this.say("I can't.");
        const created = await this.request("terminal/create", {
          command: "echo",
          args: ["x"],
          cwd: this.session.cwd,
        }).catch(caught);
        if (!created) return this.say("No terminal.");
        const { terminalId } = created;
        const toolCallId = this.callId();
        try {
          this.update("tool_call", {
            toolCallId,
            title: "Run",
            status: "in_progress",
            content: [{ type: "terminal", terminalId }],
          });
          await this.request("terminal/wait_for_exit", { terminalId });
          await this.request("terminal/output", { terminalId });
          this.update("tool_call_update", { toolCallId, status: "completed" });
        } finally {
          void this.agent.request("terminal/release", { sessionId: this.session.id, terminalId }).catch(() => {});
        }
        return this.say("Ran.");
      }
      case "plan": {
        const entries = [
          { content: "first", priority: "high", status: "pending" },
          { content: "second", priority: "low", status: "pending" },
        ];
        this.update("plan", { entries });
        this.update("plan", { entries: [{ ...entries[0], status: "in_progress" }, entries[1]] });
        this.update("plan", { entries: entries.map((entry) => ({ ...entry, status: "completed" })) });
        return this.say("Planned.");
      }
      case "tools": {
        const toolCallId = this.callId();
        this.update("tool_call", {
          toolCallId,
          title: "Search",
          name: "search",
          kind: "search",
          status: "in_progress",
        });
        this.update("tool_call_update", {
          toolCallId,
          name: "search",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "found" } }],
        });
        return this.say("Found.");
      }
      case "think":
        this.update("agent_thought_chunk", { content: { type: "text", text: "hm" } });
        return this.say("I thought.");
      case "content":
        this.update("agent_message_chunk", {
          content: { type: "resource_link", uri: "file:///x", name: "x", size: 3 },
        });
        return this.say("A link.");
      case "form":
        if (!client.elicitation?.form) return this.say("I can't.");
        await this.request("elicitation/create", {
          mode: "form",
          message: "Who?",
          requestedSchema: { type: "object", properties: { name: { type: "string", title: "Name" } } },
        }).catch(caught);
        return this.say("Thanks.");
      case "url": {
        if (!client.elicitation?.url) return this.say("I can't.");
        const elicitationId = `page-${this.session.turns}`;
        const result = await this.request("elicitation/create", {
          mode: "url",
          message: "Look",
          elicitationId,
          url: "https://example.com/",
        }).catch(caught);
        if (result?.action === "accept")
          this.agent.send({ jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId } });
        return this.say("Thanks.");
      }
      case "usage":
        this.update("usage_update", { used: 1, size: 10, cost: { amount: 0.1, currency: "USD" } });
        this.update("usage_update", { used: 2, size: 10, cost: { amount: 0.2, currency: "USD" } });
        return this.say("Used.");
      case "title":
        this.update("session_info_update", { title: rest, updatedAt: "2026-01-01T00:00:00Z" });
        return this.say("Named.");
      case "mode":
        this.session.mode = "code";
        this.update("current_mode_update", { currentModeId: "code" });
        return this.say("Changed.");
      case "config":
        this.update("config_option_update", { configOptions: this.agent.options(this.session) });
        return this.say("Changed.");
      case "commands":
        this.update("available_commands_update", { availableCommands: [{ name: "x", description: "X" }] });
        return this.say("Changed.");
      case "notice":
        if (client.session?.notices) this.update("notice", { severity: "info", title: "Look" });
        return this.say("Noticed.");
      case "compact":
        if (client.session?.compaction) {
          const compactionId = `compaction-${this.session.turns}`;
          this.update("compaction_update", { compactionId, status: "in_progress" });
          this.update("compaction_summary_chunk", { compactionId, content: { type: "text", text: "short" } });
          this.update("compaction_update", { compactionId, status: "completed" });
        }
        return this.say("Compacted.");
      case "error":
        throw new Refused({ code: -32603, message: "It failed" });
      default:
        return this.say("hello");
    }
  }
}

/** Ignores errors of the client, and rethrows the error of a stopped turn. */
function caught(error: unknown): undefined {
  if (error instanceof Stopped) throw error;
  return undefined;
}
