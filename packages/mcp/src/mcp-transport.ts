import { type Diagnostic, type Message, RpcError, type Transport, type TransportReceiver } from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, isJsonObject, type JsonObject, shorten } from "@acp-kit/jsonrpc/internal";
import type { BridgeAddresses } from "./bridge-addresses.js";
import { bindingErrors, type ServedServer } from "./served-server.js";
import type { DeclaredSession, SessionParams, SessionServers } from "./session-servers.js";

const opening: ReadonlySet<string> = new Set(["session/new", "session/load", "session/resume", "session/fork"]);
const ending: ReadonlySet<string> = new Set(["session/close", "session/delete"]);

/** The parts of a client with servers of MCP that its connections share. */
export interface McpTransportParts {
  readonly servers: SessionServers;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Creates addresses for agents without `acp`. */
  readonly addresses: BridgeAddresses | undefined;
  /** Called when the connection has ended. */
  readonly onEnd: (reason: unknown) => void;
}

type OpenRequest =
  | { readonly is: "initialize" }
  | { readonly is: "opening"; readonly session: DeclaredSession; readonly sessionId: string | undefined }
  | { readonly is: "prompt" | "ending"; readonly sessionId: string };

/**
 * A transport to an agent that adds the servers of the application to each session, and answers the agent's calls. All
 * other messages pass unchanged. It knows both versions of the protocol.
 */
export class McpTransport implements Transport {
  readonly #inner: Transport;
  readonly #parts: McpTransportParts;
  /** The client's requests that this transport watches, by id. */
  readonly #requests = new Map<unknown, OpenRequest>();
  /** The running calls of the agent, by the id of their requests. */
  readonly #calls = new Map<unknown, AbortController>();
  #ways: readonly string[] = [];
  #version = 1;
  /** Whether the client has declared servers of its own, whose calls pass. */
  #clientServes = false;
  /** Messages that wait until the addresses of a session exist. */
  #held: { readonly message: Message; readonly text: string | undefined }[] | undefined;
  #holding: Promise<void> | undefined;
  #isPausedByClient = false;
  #isPausedByCalls = false;
  #isEnded = false;

  constructor(inner: Transport, parts: McpTransportParts) {
    this.#inner = inner;
    this.#parts = parts;
  }

  get command(): string | undefined {
    return this.#inner.command;
  }

  get full(): Promise<void> | undefined {
    return this.#holding ?? this.#inner.full;
  }

  start(receiver: TransportReceiver): void {
    this.#inner.start({
      message: (value, size) => {
        if (!this.#fromAgent(value)) receiver.message(value, size);
      },
      malformed: (input) => receiver.malformed(input),
      ended: () => {
        this.#abortCalls(new Error("The agent disconnected"));
        receiver.ended();
      },
      failed: (error) => {
        this.#end(error);
        receiver.failed(error);
      },
    });
  }

  send(message: Message, text?: string): number {
    if (this.#held === undefined) return this.#fromClient(message, text);
    this.#held.push({ message, text });
    return 0;
  }

  pause(): void {
    this.#read(true, this.#isPausedByCalls);
  }

  resume(): void {
    this.#read(false, this.#isPausedByCalls);
  }

  async close(): Promise<void> {
    this.#end(new Error("The connection was closed"));
    await this.#holding;
    await this.#inner.close();
  }

  // ── from the client ────────────────────────────────────────────────────────────────────────────────────────────────

  #fromClient(message: Message, text: string | undefined): number {
    if (!("method" in message) || !("id" in message)) return this.#inner.send(message, text);
    const { method, id } = message;
    if (opening.has(method)) return this.#declare(message, text);
    if (method === "initialize") this.#requests.set(id, { is: "initialize" });
    else if (method === "session/prompt" || ending.has(method)) {
      const { sessionId } = (message.params ?? {}) as { readonly sessionId?: unknown };
      if (typeof sessionId === "string")
        this.#requests.set(id, { is: method === "session/prompt" ? "prompt" : "ending", sessionId });
    }
    return this.#inner.send(message, text);
  }

  /** Sends a request that opens a session, with the servers of the application. */
  #declare(message: Extract<Message, { method: string; id: unknown }>, text: string | undefined): number {
    const params = message.params as
      | (SessionParams & { readonly sessionId?: string; mcpServers?: unknown })
      | undefined;
    if (!isJsonObject(params) || typeof params.cwd !== "string") return this.#inner.send(message, text);
    const sessionId = message.method === "session/fork" ? undefined : params.sessionId;
    const session = this.#parts.servers.declare(params, sessionId);
    this.#requests.set(message.id, { is: "opening", session, sessionId });
    const others = Array.isArray(params.mcpServers) ? params.mcpServers : [];
    const names = new Set(others.map((server) => member(server, "name")));
    this.#clientServes ||= others.some((server) => member(server, "type") === "acp");
    const send = (entries: readonly JsonObject[]): number =>
      entries.length === 0
        ? this.#inner.send(message, text)
        : this.#inner.send({ ...message, params: { ...params, mcpServers: [...others, ...entries] } });
    const entries = session.servers.map((server) => {
      if (!names.has(server.name)) return this.#entry(session, server);
      return this.#leaveOut(server, "the session has another server with this name");
    });
    if (entries.every((entry) => !(entry instanceof Promise))) return send(entries.flat() as JsonObject[]);
    this.#hold(Promise.all(entries).then((ready) => send(ready.flat())));
    return 0;
  }

  /** Returns the entry of a server in `mcpServers`, or an empty list if the agent can't reach the server. */
  #entry(session: DeclaredSession, server: ServedServer): JsonObject[] | Promise<JsonObject[]> {
    const { name, serverId } = server;
    if (this.#ways.includes("acp")) return [{ type: "acp", name, serverId }];
    const { addresses } = this.#parts;
    if (addresses === undefined)
      return this.#leaveOut(
        server,
        "the agent did not advertise MCP over ACP. In Node, use serveMcp of @acp-kit/mcp/node",
      );
    if (!addresses.reaches(this.#inner.command))
      return this.#leaveOut(server, "the agent did not advertise MCP over ACP, and does not run on this machine");
    const way = this.#ways.find((each) => each === "http" || each === "stdio");
    if (way === undefined) return this.#leaveOut(server, "the agent supports neither acp nor http nor stdio servers");
    const known = session.addresses.get(server);
    if (known !== undefined) return [this.#inVersion(known.entry)];
    return addresses.open(server, way as "http" | "stdio").then(
      (address) => {
        if (this.#isEnded) address.close();
        else session.addresses.set(server, address);
        return [this.#inVersion(address.entry)];
      },
      (cause) => this.#leaveOut(server, "its address on this machine could not be opened", cause),
    );
  }

  /** Converts an entry to the version of the connection: in version 2, each entry has a type. */
  #inVersion(entry: JsonObject): JsonObject {
    return this.#version === 1 || "type" in entry ? entry : { type: "stdio", ...entry };
  }

  #leaveOut({ name }: ServedServer, reason: string, cause?: unknown): [] {
    const message = `MCP server "${name}" was left out: ${reason}`;
    this.#parts.report({ code: "mcp_server_left_out", message, data: { name }, ...(cause !== undefined && { cause }) });
    return [];
  }

  /** Holds the client's later messages until `sent` settles. */
  #hold(sent: Promise<unknown>): void {
    this.#held = [];
    this.#holding = sent.then(() => {
      const held = this.#held ?? [];
      this.#held = undefined;
      this.#holding = undefined;
      for (const { message, text } of held) this.send(message, text);
    });
  }

  // ── from the agent ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Returns whether a message of the agent was meant for a server of the application. */
  #fromAgent(value: unknown): boolean {
    if (!isJsonObject(value)) return false;
    const { method, id } = value;
    if (method === undefined) {
      if (this.#requests.size > 0) this.#responded(value);
      return false;
    }
    if (method === "mcp/message") {
      if (this.#clientServes && !this.#serves(value.params)) return false;
      if ("id" in value) this.#call(id, value.params);
      return true; // notifications belong to calls of the client, and there are none
    }
    if (method === CANCEL_REQUEST) {
      const call = this.#calls.get((value.params as JsonObject | undefined)?.requestId);
      call?.abort(new Error("The agent cancelled the call"));
      return call !== undefined;
    }
    if (this.#version !== 1 && method === "session/update") this.#updated(value.params);
    return false;
  }

  #serves(params: unknown): boolean {
    return this.#parts.servers.get(String(member(params, "serverId"))) !== undefined;
  }

  #responded({ id, result }: JsonObject): void {
    const request = this.#requests.get(id);
    if (request === undefined) return;
    this.#requests.delete(id);
    const { servers } = this.#parts;
    const values = isJsonObject(result) ? result : undefined;
    if (request.is === "initialize") this.#initialized(values ?? {});
    else if (request.is === "opening") {
      const sessionId = request.sessionId ?? values?.sessionId;
      if (values !== undefined && typeof sessionId === "string") servers.opened(request.session, sessionId);
      else servers.failed(request.session);
    } else if (request.is === "ending") servers.closed(request.sessionId);
    else if (values?.stopReason === "cancelled") servers.turnCancelled(request.sessionId);
  }

  #initialized({ protocolVersion, agentCapabilities, capabilities }: JsonObject): void {
    this.#version = Number(protocolVersion);
    const all = this.#version === 1 ? agentCapabilities : (member(capabilities, "session") as unknown);
    const mcp = member(all, this.#version === 1 ? "mcpCapabilities" : "mcp");
    const offered = ["acp", "http", "stdio"].filter((way) => member(mcp, way));
    this.#ways = this.#version === 1 ? [...offered, "stdio"] : offered; // every agent of version 1 starts servers
  }

  /** In version 2, an update says that a turn has ended. */
  #updated(params: unknown): void {
    const update = member(params, "update");
    if (member(update, "sessionUpdate") !== "state_update" || member(update, "state") !== "idle") return;
    const sessionId = member(params, "sessionId");
    if (member(update, "stopReason") === "cancelled") this.#parts.servers.turnCancelled(String(sessionId));
  }

  #call(id: unknown, params: unknown): void {
    const call = this.#calls.has(id) ? invalid("A request with this id is running") : readCall(params);
    const server =
      call instanceof RpcError ? call : (this.#parts.servers.get(call.serverId) ?? unavailable(call.serverId));
    if (call instanceof RpcError || server instanceof RpcError) {
      this.#respond(id, { error: (server as RpcError).toJSON() });
      return;
    }
    const controller = new AbortController();
    this.#calls.set(id, controller);
    const { serverId, requestId, ...request } = call;
    const notify = (method: string, more: JsonObject): void => {
      this.#write({ jsonrpc: "2.0", method: "mcp/message", params: { serverId, requestId, method, params: more } });
    };
    void server.call({ ...request, key: requestId, signal: controller.signal, notify }).then(
      (outcome) => this.#settle(id, { result: outcome }),
      (error: RpcError) => this.#settle(id, { error: error.toJSON() }),
    );
  }

  #settle(id: unknown, outcome: JsonObject): void {
    this.#calls.delete(id);
    this.#respond(id, outcome);
  }

  #respond(id: unknown, outcome: JsonObject): void {
    try {
      this.#write({ jsonrpc: "2.0", id, ...outcome } as unknown as Message);
    } catch (cause) {
      this.#parts.report({ code: "unserializable", message: "A result of an MCP server is not JSON", cause });
      const error = new RpcError(bindingErrors.failed, "The MCP server failed");
      this.#write({ jsonrpc: "2.0", id, error: error.toJSON() } as unknown as Message);
    }
  }

  /** Sends a message of a server. While the agent does not read, this transport does not read from the agent. */
  #write(message: Message): void {
    if (this.#isEnded) return;
    this.#inner.send(message);
    const { full } = this.#inner;
    if (full === undefined || this.#isPausedByCalls) return;
    this.#read(this.#isPausedByClient, true);
    void full.then(() => this.#read(this.#isPausedByClient, false));
  }

  // ── flow and end ───────────────────────────────────────────────────────────────────────────────────────────────────

  #read(isPausedByClient: boolean, isPausedByCalls: boolean): void {
    const was = this.#isPausedByClient || this.#isPausedByCalls;
    const is = isPausedByClient || isPausedByCalls;
    this.#isPausedByClient = isPausedByClient;
    this.#isPausedByCalls = isPausedByCalls;
    if (was === is) return;
    if (is) this.#inner.pause();
    else this.#inner.resume();
  }

  #abortCalls(reason: unknown): void {
    for (const controller of [...this.#calls.values()]) controller.abort(reason);
  }

  #end(reason: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#abortCalls(reason);
    this.#requests.clear();
    this.#parts.onEnd(reason);
  }
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Reads the params of `mcp/message`, or returns the error of the request. */
function readCall(
  params: unknown,
): { serverId: string; requestId: string; method: string; params: JsonObject | undefined } | RpcError {
  const { serverId, requestId, method, params: inner } = (isJsonObject(params) ? params : {}) as JsonObject;
  if (typeof serverId !== "string" || typeof requestId !== "string" || typeof method !== "string")
    return invalid("mcp/message needs serverId, requestId and method, which are strings");
  if (inner !== undefined && inner !== null && !isJsonObject(inner))
    return invalid("The params of an MCP request must be an object");
  return { serverId, requestId, method, params: inner ?? undefined };
}

function invalid(message: string): RpcError {
  return new RpcError(bindingErrors.invalidParams, message);
}

function unavailable(serverId: string): RpcError {
  return new RpcError(bindingErrors.unavailable, `No MCP server ${shorten(serverId)} is declared on this connection`);
}
