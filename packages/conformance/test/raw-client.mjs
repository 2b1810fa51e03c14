// A client that uses no code of the kit and keeps every rule. Each switch makes it break one rule. It is plain
// JavaScript, because it also runs as a process of its own.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";

const everything = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {} },
  elicitation: { form: {} },
};

const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"];
const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];

/**
 * A client with one conversation. `io` is the connection to the agent, and the client calls `exit` with its exit code.
 * `options.wrong` names the one mistake that the client makes.
 */
export class RawClient {
  constructor(io, options, exit) {
    this.io = io;
    this.cwd = options.cwd;
    this.capabilities = options.capabilities ?? everything;
    this.turns = options.turns ?? 1;
    this.otherCwd = options.otherCwd;
    this.promptText = options.prompt ?? "Hello";
    this.is = (wrong) => options.wrong === wrong;
    this.exit = exit;
    this.nextId = 0;
    this.waiting = new Map();
    this.permissions = new Map();
    this.terminals = new Map();
    this.commands = new Set(); // includes the commands of released terminals, which one wrong client does not end
    this.terminalCount = 0;
    this.openIds = new Set();
    this.inTurn = false;
    this.gone = false;
  }

  start() {
    this.read();
    this.main().then(
      (code) => this.leave(code),
      (error) => {
        if (process.env.RAW_CLIENT_DEBUG) process.stderr.write(`${error.stack}\n`);
        this.leave(1);
      },
    );
  }

  leave(code) {
    if (this.gone) return;
    this.gone = true;
    for (const child of this.commands) child.kill("SIGKILL");
    if (!this.is("keeps-stdin-open")) this.io.end();
    this.exit(code);
  }

  read() {
    let rest = Buffer.alloc(0);
    let texts = "";
    this.io.onData((bytes) => {
      if (this.gone) return;
      if (this.is("reads-lines-per-chunk")) {
        for (const line of Buffer.from(bytes).toString().split("\n")) this.line(line);
        return;
      }
      if (this.is("takes-one-line-per-read")) return this.line(Buffer.from(bytes).toString().split("\n")[0]);
      if (this.is("decodes-chunks")) {
        texts += Buffer.from(bytes).toString();
        const lines = texts.split("\n");
        texts = lines.pop() ?? "";
        for (const line of lines) {
          this.line(line);
        }
        return;
      }
      rest = Buffer.concat([rest, Buffer.from(bytes)]);
      if (this.is("refuses-long-messages") && rest.length > 1_000_000) this.leave(9);
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = rest.subarray(0, end).toString();
        rest = rest.subarray(end + 1);
        if (this.is("splits-at-unicode-line-ends") && /\u0085/.test(line)) return this.leave(9);
        this.line(line);
      }
    });
    this.io.onEnd(() => {
      const crashed = rest.length > 0;
      if (this.is(crashed ? "waits-when-the-agent-dies" : "waits-when-the-agent-leaves")) return;
      for (const { reject } of this.waiting.values()) reject(new Error("the agent has exited"));
      this.leave(1);
    });
  }

  line(line) {
    if (this.gone) return;
    if (line.trim() === "") return this.is("exits-after-blank-lines") ? this.leave(9) : undefined;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      if (this.is("exits-after-noise")) this.leave(9);
      return;
    }
    if (Array.isArray(message)) return this.is("exits-after-batches") ? this.leave(9) : undefined;
    if (typeof message !== "object" || message === null || message.jsonrpc !== "2.0") {
      if (this.is("exits-after-odd-json")) this.leave(9);
      return;
    }
    if ("id" in message && typeof message.id === "object" && message.id !== null) return;
    if (typeof message.method !== "string") return this.onResponse(message);
    if ("id" in message) this.onRequest(message).catch(() => {});
    else this.onNotification(message);
  }

  // Messages to the agent.

  send(message) {
    if (this.gone) return;
    const whole = { jsonrpc: "2.0", ...message };
    const text = JSON.stringify(whole);
    this.io.write(`${text}${this.is("carriage-returns") ? "\r" : ""}\n`);
  }

  request(method, params) {
    let id = this.nextId++;
    if (method === "_x/fraction") id += 0.5;
    if (method === "_x/null") id = null;
    const response = new Promise((resolve, reject) => this.waiting.set(JSON.stringify(id), { resolve, reject }));
    response.catch(() => {});
    this.send({ id, method, params });
    return { id, response };
  }

  call(method, params) {
    return this.request(method, params).response;
  }

  notify(method, params) {
    this.send({ method, params });
  }

  onResponse(message) {
    const waiting = this.waiting.get(JSON.stringify(message.id));
    if (!waiting) return this.is("exits-after-unknown-responses") ? this.leave(9) : undefined;
    this.waiting.delete(JSON.stringify(message.id));
    if (message.error) waiting.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else waiting.resolve(message.result);
  }

  // The conversation.

  async main() {
    if (this.is("banner")) this.io.write("Client 1.0\n");
    if (this.is("batches")) this.io.write('[{"jsonrpc":"2.0","method":"_x/in-a-batch","params":{}}]\n');
    if (this.is("no-version-of-json-rpc")) this.io.write('{"method":"_x/unversioned","params":{}}\n');
    if (this.is("raw-newlines")) this.io.write('{"jsonrpc":"2.0",\n"method":"_x/pretty"}\n');
    if (this.is("latin-1"))
      this.io.write(
        Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"_x/\u00e4"', "latin1"), Buffer.from("}\n")]),
      );
    if (this.is("session-before-initialize")) this.call("session/new", { cwd: this.cwd, mcpServers: [] });
    const initializing = this.call("initialize", this.initializeParams());
    if (this.is("does-not-wait")) this.call("_x/early", {}).catch(() => {});
    const agent = await initializing;
    if (this.is("initializes-twice")) await this.call("initialize", this.initializeParams());
    if (agent.protocolVersion !== 1) {
      if (this.is("takes-newer-versions") && agent.protocolVersion > 1)
        await this.call("session/new", this.sessionParams({}));
      if (this.is("stays-with-version-zero") && agent.protocolVersion === 0) await new Promise(() => {});
      return 3;
    }
    if (this.is("needs-capabilities") && !agent.agentCapabilities) return 9;
    const capabilities =
      typeof agent.agentCapabilities === "object" && agent.agentCapabilities ? agent.agentCapabilities : {};
    if (this.is("fails-on-null-markers") && capabilities.auth?.logout === null) return 9;
    if (this.is("fails-on-unknown-capabilities") && "future" in capabilities) return 9;
    if (this.is("fails-on-malformed-info") && typeof agent.agentInfo === "number") return 9;
    if (this.is("fails-on-unknown-login") && agent.authMethods?.some((method) => method?.type === "env_var")) return 9;
    if (this.is("fails-on-everything") && capabilities.auth?.logout) return 9;
    this.agent = capabilities;
    const has = (marker) => typeof marker === "object" && marker !== null && !Array.isArray(marker);
    const more = has(capabilities.sessionCapabilities) ? capabilities.sessionCapabilities : {};
    if (this.is("calls-unknown-method")) await this.call("session/teleport", {}).catch(() => {});
    if (this.is("fractional-ids")) await this.call("_x/fraction", {}).catch(() => {});
    if (this.is("null-ids")) await this.call("_x/null", {}).catch(() => {});
    if (this.is("repeats-ids")) {
      const call = '{"jsonrpc":"2.0","id":"same","method":"_x/same","params":{}}\n';
      this.io.write(call + call);
    }
    if (this.is("positional-params")) await this.call("_x/positional", [1]).catch(() => {});
    if (this.is("request-and-response")) this.send({ id: "both", method: "_x/both", result: {} });

    if (has(more.list) || this.is("lists")) await this.list();
    const session = await this.openSession(agent.authMethods ?? []);
    if (!session) return 4;
    if (this.otherCwd) await this.call("session/new", { ...this.sessionParams({}), cwd: this.otherCwd });
    if (has(more.resume) || this.is("resumes")) await this.open("session/resume", "saved 1");
    if (capabilities.loadSession === true || this.is("loads")) await this.open("session/load", "saved 2");
    if (capabilities.loadSession === true && this.is("chokes-on-history")) return 9;
    await this.configure(session);
    for (let turn = 0; turn < this.turns; turn++) {
      const outcome = await this.turn(session.sessionId);
      if (outcome !== 0) return outcome;
    }
    const closed = this.is("closes-another-session") ? "another" : session.sessionId;
    if (has(more.close) || this.is("closes")) await this.call("session/close", { sessionId: closed }).catch(() => {});
    const deleted = this.is("deletes-nothing") ? {} : { sessionId: "saved 2" };
    if (has(more.delete) || this.is("deletes")) await this.call("session/delete", deleted).catch(() => {});
    if (has(capabilities.auth?.logout) || this.is("logs-out")) await this.call("logout", {}).catch(() => {});
    return 0;
  }

  initializeParams() {
    const params = {
      protocolVersion: this.is("version-zero") ? 0 : 1,
      clientCapabilities: this.capabilities,
      clientInfo: { name: "raw-client", version: "1.0.0" },
    };
    if (this.is("no-client-info")) delete params.clientInfo;
    if (this.is("no-capabilities")) delete params.clientCapabilities;
    if (this.is("malformed-capabilities"))
      params.clientCapabilities = { ...this.capabilities, auth: { terminal: "yes" } };
    if (this.is("own-members")) params.flavour = "vanilla";
    return params;
  }

  sessionParams(more) {
    const server = {
      name: "tools",
      command: this.is("relative-mcp-command") ? "tools" : "/usr/bin/env",
      args: [],
      env: [],
    };
    if (this.is("mcp-without-env")) delete server.env;
    const mcpServers = [server];
    const mcp = this.agent?.mcpCapabilities ?? {};
    if (mcp.http === true || this.is("mcp-http"))
      mcpServers.push({ type: "http", name: "h", url: "http://127.0.0.1/", headers: [] });
    if (mcp.sse === true || this.is("mcp-sse"))
      mcpServers.push({ type: "sse", name: "s", url: "http://127.0.0.1/", headers: [] });
    const params = { cwd: this.is("relative-cwd") ? "." : this.cwd, mcpServers, ...more };
    if (this.agent?.sessionCapabilities?.additionalDirectories || this.is("directories")) {
      params.additionalDirectories = this.is("relative-directory") ? ["lib"] : ["/usr/lib"];
      if (this.is("repeats-directory")) params.additionalDirectories.push("/usr/lib");
    }
    return params;
  }

  async openSession(methods) {
    const params = this.sessionParams({});
    if (this.is("new-without-servers")) delete params.mcpServers;
    try {
      return await this.call("session/new", params);
    } catch (error) {
      if (error.code !== -32000) throw error;
    }
    const method = methods.find(({ type }) => type === undefined);
    let methodId = this.is("invents-login") ? "invented" : method?.id;
    if (this.is("terminal-login")) methodId = methods.find(({ type }) => type === "terminal")?.id ?? methodId;
    await this.call("authenticate", { methodId });
    if (this.is("exits-after-login")) return undefined;
    return this.call("session/new", params);
  }

  async open(method, sessionId) {
    const params = this.sessionParams({ sessionId });
    if (this.is("loads-without-servers") && method === "session/load") delete params.mcpServers;
    if (this.is("resumes-without-id") && method === "session/resume") delete params.sessionId;
    return this.call(method, params).catch(() => undefined);
  }

  async list() {
    let cursor;
    for (let page = 0; page < 5; page++) {
      const params = { cwd: this.is("lists-relative") ? "src" : this.cwd, ...(cursor === undefined ? {} : { cursor }) };
      if (this.is("changes-cursors") && cursor) params.cursor = encodeURIComponent(cursor);
      const id = this.nextId++;
      const response = new Promise((resolve, reject) => this.waiting.set(JSON.stringify(id), { resolve, reject }));
      // The client cancels the request for the first page. Agents may still respond to it.
      const requestId = this.is("cancels-with-another-id") ? String(id) : id;
      const messages = [{ jsonrpc: "2.0", id, method: "session/list", params }];
      if (page === 0) messages.push({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
      const end = this.is("carriage-returns") ? "\r\n" : "\n";
      this.io.write(messages.map((message) => JSON.stringify(message) + end).join(""));
      const result = await response.catch(() => ({}));
      if (result.nextCursor === undefined && !this.is("lists-without-end")) return;
      cursor = result.nextCursor ?? cursor;
    }
  }

  async configure({ sessionId, modes, configOptions }) {
    if (this.is("fails-on-modes") && modes && !configOptions) this.leave(9);
    if (this.is("sets-mode-without-modes") && !modes)
      await this.call("session/set_mode", { sessionId, modeId: "ask" }).catch(() => {});
    if (this.is("sets-option-without-options") && !configOptions) {
      await this.call("session/set_config_option", { sessionId, configId: "one", value: "a" }).catch(() => {});
    }
    const option = configOptions?.find((each) => each?.type === "select");
    if (this.is("needs-categories") && configOptions?.some((each) => each?.id === "two")) this.leave(9);
    if (this.is("fails-on-option-types") && configOptions?.some((each) => each?.type === "slider")) this.leave(9);
    if (option) {
      const value = this.is("invents-value") ? "z" : option.options[1].value;
      const params = { sessionId, configId: option.id, value };
      if (this.is("boolean-without-type")) params.value = true;
      await this.call("session/set_config_option", params);
    }
    if (modes && (!option || this.is("modes-beside-options"))) {
      await this.call("session/set_mode", {
        sessionId,
        modeId: this.is("invents-mode") ? "fly" : modes.availableModes[1].id,
      });
    }
  }

  promptBlocks() {
    const can = this.agent?.promptCapabilities ?? {};
    const prompt = [{ type: "text", text: this.promptText }];
    if (can.image === true || this.is("sends-image"))
      prompt.push({ type: "image", data: this.is("no-base64") ? "?!" : "aGVsbG8=", mimeType: "image/png" });
    if (can.audio === true || this.is("sends-audio"))
      prompt.push({ type: "audio", data: "aGVsbG8=", mimeType: "audio/wav" });
    if (can.embeddedContext === true || this.is("sends-resource"))
      prompt.push({ type: "resource", resource: { uri: "file:///a", text: "a" } });
    if (this.is("unknown-block")) prompt.push({ type: "hologram" });
    return prompt;
  }

  async turn(sessionId) {
    this.inTurn = true;
    this.sessionId = sessionId;
    this.cancelled = false;
    const named = this.is("ascii-session-ids") ? sessionId.replace(/[^\x20-\x7e]/g, "?") : sessionId;
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const _meta = { traceparent: this.is("own-trace-context") ? { mine: true } : traceparent };
    const params = { sessionId: named, prompt: this.promptBlocks(), _meta };
    const { id, response } = this.request("session/prompt", params);
    this.promptId = id;
    if (this.is("two-prompts-at-once")) this.call("session/prompt", params).catch(() => {});
    let result;
    try {
      result = await response;
    } catch (error) {
      this.inTurn = false;
      if (this.is("waits-after-auth-error") && error.code === -32000) await new Promise(() => {});
      if (this.is("waits-after-odd-errors") && error.code === 1234) await new Promise(() => {});
      return 1;
    }
    this.inTurn = false;
    const { stopReason } = result ?? {};
    if (this.is("waits-without-stop-reason") && stopReason === undefined) await new Promise(() => {});
    if (this.is("waits-after-unknown-stop-reason") && stopReason !== undefined && !stopReasons.includes(stopReason))
      await new Promise(() => {});
    for (const reason of stopReasons)
      if (this.is(`waits-after-${reason}`) && stopReason === reason) await new Promise(() => {});
    if (this.is("waits-for-cancelled") && this.cancelled && stopReason === "end_turn") await new Promise(() => {});
    // Reads late updates for a short time, as a client with a display does.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return stopReasons.includes(stopReason) ? 0 : 1;
  }

  /** Handles text that the user types. */
  typed(text) {
    if (text.trim() === "cancel" && this.inTurn && !this.cancelled) this.cancel();
  }

  cancel() {
    this.cancelled = true;
    if (this.is("cancels-by-request")) this.call("session/cancel", { sessionId: this.sessionId }).catch(() => {});
    else this.notify("session/cancel", { sessionId: this.sessionId });
    for (const settle of [...this.permissions.values()]) {
      if (this.is("forgets-permissions")) continue;
      settle(
        this.is("refuses-permissions")
          ? { error: { code: -32800, message: "Cancelled" } }
          : { result: { outcome: { outcome: "cancelled" } } },
      );
    }
    if (this.is("leaves-after-cancel")) this.leave(0);
  }

  // Notifications of the agent.

  onNotification({ method, params }) {
    if (method === "$/cancel_request") {
      const key = JSON.stringify(params?.requestId);
      const settle = this.permissions.get(key);
      if (!settle && this.is("exits-after-odd-cancels")) this.leave(9);
      if (this.is("cancels-oddly")) settle?.({ error: { code: -32603, message: "Cancelled" } });
      else settle?.({ error: { code: -32800, message: "Cancelled" } });
      return;
    }
    if (method !== "session/update") {
      if (this.is("exits-after-unknown-notifications") && method === "no/such") this.leave(9);
      if (this.is("responds-to-notifications") && method === "no/such")
        this.send({ id: "none", error: { code: -32601, message: "What?" } });
      if (this.is("exits-after-completions") && method === "elicitation/complete") this.leave(9);
      return;
    }
    const { update } = params ?? {};
    if (this.is("exits-after-malformed-notifications") && typeof update !== "object") this.leave(9);
    if (this.is("exits-after-early-updates") && params?.sessionId === "early" && this.sessionId === undefined)
      this.leave(9);
    if (this.is("exits-after-late-updates") && !this.inTurn && this.sessionId !== undefined) this.leave(9);
    if (this.is("exits-after-other-sessions") && this.inTurn && params?.sessionId === "unknown") this.leave(9);
    if (typeof update === "object" && update) this.show(update);
  }

  /** The mistakes of clients that display an update. */
  show(update) {
    const kind = update.sessionUpdate;
    const exitIf = (wrong, when) => {
      if (this.is(wrong) && when) this.leave(9);
    };
    exitIf("exits-after-usage", kind === "usage_update");
    exitIf("exits-after-unknown-updates", kind === "future_thing");
    exitIf("exits-after-unknown-content", update.content?.type === "hologram");
    exitIf("exits-after-unknown-tool-kinds", update.kind === "levitate");
    exitIf("exits-after-extra-members", "zzz" in update);
    exitIf("exits-after-odd-meta", update._meta === 5);
    exitIf("exits-after-malformed-members", update.content?.annotations === 7);
    exitIf("exits-after-malformed-items", update.entries?.includes(5));
    exitIf("exits-after-unknown-tool-calls", update.toolCallId === "not-announced");
    exitIf("exits-after-mode-updates", kind === "current_mode_update");
    exitIf("exits-after-unknown-severity", update.severity === "later");
    exitIf("exits-after-unknown-compaction", update.status === "simmering");
  }

  // Requests of the agent.

  async onRequest({ id, method, params }) {
    if (this.is("ignores-extension-requests") && method.startsWith("_")) return;
    if (this.is("confuses-ids") && JSON.stringify(id) === JSON.stringify(this.promptId)) {
      this.waiting.get(JSON.stringify(id))?.resolve({ stopReason: "end_turn" });
      return;
    }
    if (this.is("drops-odd-ids") && id === "") return;
    if (this.is("five-at-a-time") && method.endsWith("one-of-many") && this.openIds.size >= 5) return;
    this.openIds.add(id);
    if (this.is("silent-later") && this.promptId > 2) return;
    if (method.endsWith("one-of-many")) await new Promise((resolve) => setImmediate(resolve));
    let response;
    try {
      response = { result: await this.handle(method, params, id) };
    } catch (error) {
      response = error.response ?? { error: { code: error.code ?? -32603, message: error.message || "Failed" } };
    }
    this.openIds.delete(id);
    const isTest = method === "_acp-kit.test/alive";
    if (this.is("exits-after-failed-reads") && response.error && typeof params?.path === "number") return this.leave(9);
    if (this.is("errors-without-message") && isTest) response = { error: { code: response.error.code } };
    if (this.is("reserved-code") && isTest) response = { error: { ...response.error, code: -32050 } };
    if (this.is("result-beside-error") && isTest) response = { ...response, result: {} };
    this.send({ id, ...response });
    if (this.is("responds-twice") && isTest) this.send({ id, ...response });
    if (this.is("responds-with-string-ids") && isTest) this.send({ id: String(id), ...response });
  }

  async handle(method, params, id) {
    if (this.is("advertises-too-much") && method.startsWith("terminal/"))
      throw failure(-32601, `There is no ${method}`);
    if (this.is("unknown-succeeds") && method === "no/such") return {};
    if (this.is("extensions-succeed") && method.startsWith("_acp-kit.invalid/")) return {};
    if (this.is("serves-agents-methods") && method === "session/new") return { sessionId: "mine" };
    if (method === "session/request_permission") return this.permission(params, id);
    if (method.startsWith("fs/") && (this.capabilities.fs || this.is("serves-without-saying")))
      return this.file(method, params);
    if (method.startsWith("terminal/") && this.capabilities.terminal) return this.terminal(method, params);
    if (method === "elicitation/create" && (this.capabilities.elicitation || this.is("elicits-without-saying")))
      return this.elicitation(params);
    throw failure(-32601, `There is no ${method}`);
  }

  permission(params, id) {
    if (this.is("takes-positional-params") && Array.isArray(params)) return { outcome: { outcome: "cancelled" } };
    if (this.is("no-permissions")) throw failure(-32601, "No permissions");
    if (!Array.isArray(params?.options) || Array.isArray(params) || typeof params.toolCall?.toolCallId !== "string")
      throw failure(-32602, "Malformed");
    const options = params.options.filter(({ kind }) => kinds.includes(kind));
    if (options.length < params.options.length && !this.is("drops-malformed-options"))
      throw failure(-32602, "Malformed option");
    if (options.length === 0) {
      if (this.is("selects-nothing")) return { outcome: { outcome: "selected", optionId: "yes" } };
      return { outcome: { outcome: "cancelled" } };
    }
    if (this.is("needs-known-tool-calls") && params.toolCall.toolCallId === "not-announced")
      throw failure(-32602, "Which call?");
    if (this.is("one-permission-at-a-time") && this.permissions.size > 0) throw failure(-32600, "One after another");
    return new Promise((resolve, reject) => {
      const key = JSON.stringify(id);
      const settle = (response) => {
        clearTimeout(timer);
        this.permissions.delete(key);
        if (response.error) reject(Object.assign(new Error(), { response }));
        else resolve(response.result);
      };
      const announced = params.toolCall.title === undefined;
      const optionId = this.is("invents-option") && announced ? "whatever" : options[0].optionId;
      const selected = { outcome: "selected", optionId };
      const outcome = this.is("flat-outcome") && announced ? selected : { outcome: selected };
      const timer = setTimeout(() => settle({ result: outcome }), announced ? 5 : 600);
      this.permissions.set(key, settle);
    });
  }

  file(method, params) {
    const { path, sessionId, line, limit, content } = params ?? {};
    if (typeof path !== "string") throw failure(-32602, "No path");
    if (typeof sessionId !== "string" && !this.is("files-without-session")) throw failure(-32602, "No session");
    const relativeIsFine = this.is(method === "fs/read_text_file" ? "reads-relative" : "writes-relative");
    if (!isAbsolute(path)) {
      if (!relativeIsFine) throw failure(-32602, "Not absolute");
      const whole = resolve(this.cwd, path);
      return method === "fs/read_text_file" ? this.readFile(whole, line, limit) : this.writeFile(whole, content);
    }
    for (const number of [line, limit]) {
      if (number === undefined || number === null || this.is("accepts-malformed-lines")) continue;
      if (!Number.isInteger(number) || number < 0) throw failure(-32602, "No line");
    }
    const outsideIsFine = this.is(method === "fs/read_text_file" ? "reads-outside" : "writes-outside");
    if (!(outsideIsFine && !path.startsWith(this.cwd)) && !inside(this.cwd, path, this.is("follows-links")))
      throw failure(-32602, "Outside");
    return method === "fs/read_text_file" ? this.readFile(path, line, limit) : this.writeFile(path, content);
  }

  readFile(path, line, limit) {
    if (this.is("reads-fail")) throw failure(-32603, "The disk is asleep");
    let content;
    try {
      content = readFileSync(path, this.is("reads-latin-1") ? "latin1" : "utf8");
    } catch {
      throw failure(this.is("missing-is-internal") ? -32603 : -32002, "No such file");
    }
    if (this.is("exits-past-the-end") && line > 100) this.leave(9);
    if ((line ?? undefined) === undefined && (limit ?? undefined) === undefined) return { content };
    const from = Math.max(0, (line ?? 1) - (this.is("counts-from-zero") ? 0 : 1));
    return {
      content: content
        .split("\n")
        .slice(from, limit === undefined || limit === null ? undefined : from + limit)
        .join("\n"),
    };
  }

  writeFile(path, content) {
    if (this.is("only-new-files")) {
      try {
        readFileSync(path);
        throw failure(-32603, "There is one");
      } catch (error) {
        if (error.code === -32603) throw error;
      }
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.is("adds-a-newline") && path.includes("new file") ? `${content}\n` : content);
    return this.is("null-for-nothing") ? null : {};
  }

  terminal(method, params) {
    if (typeof params?.sessionId !== "string") throw failure(-32602, "No session");
    if (method === "terminal/create") return this.createTerminal(params);
    const terminal = this.terminals.get(params.terminalId);
    if (!terminal || (terminal.sessionId !== params.sessionId && !this.is("shares-terminals"))) {
      throw failure(this.is("unknown-is-internal") ? -32603 : -32002, "No such terminal");
    }
    switch (method) {
      case "terminal/output":
        return terminal.output();
      case "terminal/wait_for_exit":
        if (this.is("one-wait") && terminal.waited) throw failure(-32603, "Another request waits already");
        terminal.waited = true;
        return terminal.exited.then(() => {
          const isThree = terminal.status.exitCode === 3;
          return this.is("nested-exit") && isThree ? { exitStatus: terminal.status } : terminal.status;
        });
      case "terminal/kill":
        terminal.child.kill("SIGKILL");
        if (this.is("forgets-killed")) this.terminals.delete(params.terminalId);
        return terminal.exited.then(() => ({}));
      default:
        if (!this.is("release-lets-run")) terminal.child.kill("SIGKILL");
        if (!this.is("keeps-released")) this.terminals.delete(params.terminalId);
        return {};
    }
  }

  async createTerminal({ command, args = [], env = [], cwd, outputByteLimit, sessionId }) {
    const strict = !this.is("lenient-terminals");
    if (typeof command !== "string") throw failure(-32602, "No command");
    if (strict && (!Array.isArray(args) || (cwd !== undefined && cwd !== null && typeof cwd !== "string")))
      throw failure(-32602, "Malformed");
    if (strict && outputByteLimit !== undefined && outputByteLimit !== null && !Number.isInteger(outputByteLimit))
      throw failure(-32602, "Malformed");
    const words = Array.isArray(args) ? args : [];
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(
      command,
      this.is("joins-arguments") ? words.map((word, index) => (index < 2 ? word : word.replace(/\s/g, "_"))) : words,
      {
        env: { ...process.env, ...variables },
        cwd: typeof cwd === "string" ? cwd : this.cwd,
      },
    );
    this.commands.add(child);
    const terminal = { child, sessionId, status: undefined, kept: Buffer.alloc(0), truncated: false };
    const limit = Number.isInteger(outputByteLimit) ? outputByteLimit : 100_000;
    const keep = (bytes) => {
      const all = Buffer.concat([terminal.kept, bytes]);
      if (all.length > limit) terminal.truncated = true;
      terminal.kept = this.is("keeps-the-first-part")
        ? all.subarray(0, limit)
        : all.subarray(Math.max(0, all.length - limit));
      if (this.is("cuts-characters")) return;
      let start = 0;
      while (start < terminal.kept.length && (terminal.kept[start] & 0xc0) === 0x80) start++;
      terminal.kept = terminal.kept.subarray(start);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    terminal.exited = new Promise((resolve) => {
      child.on("error", () => {
        terminal.status ??= { exitCode: 127, signal: null };
        resolve();
      });
      child.on("close", (exitCode, signal) => {
        terminal.status ??= { exitCode, signal };
        resolve();
      });
    });
    terminal.output = () => {
      const exitStatus = terminal.status ?? (this.is("always-an-exit") ? { exitCode: 0 } : undefined);
      return { output: terminal.kept.toString(), truncated: terminal.truncated, ...(exitStatus ? { exitStatus } : {}) };
    };
    const terminalId = `terminal-${this.terminalCount++}`;
    this.terminals.set(terminalId, terminal);
    if (this.is("creates-after-the-end")) await terminal.exited;
    if (this.is("loses-missing-commands")) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (terminal.status?.exitCode === 127) return new Promise(() => {});
    }
    return { terminalId };
  }

  elicitation({ mode, requestedSchema, url }) {
    const has = this.capabilities.elicitation ?? {};
    if (!has[mode]) throw failure(this.is("unknown-mode-is-unknown-method") ? -32601 : -32602, "No such mode");
    if (mode === "url") {
      if (this.is("fetches-urls")) fetch(url).catch(() => {});
      return { action: "decline" };
    }
    const { properties = {} } = requestedSchema ?? {};
    if (this.is("needs-properties") && !requestedSchema?.properties) throw failure(-32602, "No properties");
    if (this.is("refuses-unknown-formats") && properties.address?.format === "ipv4")
      throw failure(-32602, "What format?");
    if (this.is("exits-after-unknown-properties") && properties.tint) this.leave(9);
    if (this.is("evaluates-patterns") && properties.value?.pattern) return new Promise(() => this.freeze());
    if (this.is("forms-fail")) throw failure(-32603, "No forms today");
    if (this.is("odd-action")) return { action: "yes" };
    const content = Object.fromEntries(
      Object.entries(properties).flatMap(([key, { default: value }]) => (value === undefined ? [] : [[key, value]])),
    );
    if (this.is("ignores-the-schema")) return { action: "accept", content: { ...content, name: 5 } };
    return { action: "accept", content };
  }

  /** Stops reading, like a client in which a regular expression runs for minutes. */
  freeze() {
    this.line = () => {};
  }
}

function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

function inside(root, path, followsLinks) {
  let real = path;
  if (!followsLinks) {
    try {
      real = realpathSync(path);
    } catch {
      try {
        real = realpathSync(dirname(path)) + path.slice(dirname(path).length);
      } catch {
        return false;
      }
    }
  }
  const way = relative(followsLinks ? root : realpathSync(root), real);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
