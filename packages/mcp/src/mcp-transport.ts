import type { Message, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { CANCEL_REQUEST, isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { AgentCalls } from "./agent-calls.js";
import { type ForwardedCalls, isAcpServer } from "./forwarded-calls.js";
import { ServerEntries, type ServerEntriesParts, withAcp } from "./server-entries.js";
import type { DeclaredSession, SessionParams, SessionServers } from "./session-servers.js";

const opening: ReadonlySet<string> = new Set(["session/new", "session/load", "session/resume", "session/fork"]);
const ending: ReadonlySet<string> = new Set(["session/close", "session/delete"]);

/** The methods of calls; the last two are those of the earlier form with connections. */
const callMethods: ReadonlySet<unknown> = new Set(["mcp/message", "mcp/connect", "mcp/disconnect"]);

/** The parts of a client with servers of MCP that its connections share. */
export interface McpTransportParts extends ServerEntriesParts {
  readonly servers: SessionServers;
  /** Set if the servers are those that the client serves over its connection, and not those of this application. */
  readonly forwarded?: ForwardedCalls;
  /** Called when the connection has ended. */
  readonly onEnd: (reason: unknown) => void;
}

type OpenRequest =
  | { readonly is: "initialize" }
  | { readonly is: "opening"; readonly session: DeclaredSession; readonly sessionId: string | undefined }
  | { readonly is: "prompt" | "ending"; readonly sessionId: string };

type OpeningParams = SessionParams & { readonly sessionId?: string; readonly mcpServers?: unknown };

/**
 * A transport to an agent that adds servers to each session, and answers the agent's calls. All other messages pass
 * unchanged. It knows both versions of the protocol.
 */
export class McpTransport implements Transport {
  readonly #inner: Transport;
  readonly #parts: McpTransportParts;
  readonly #calls: AgentCalls;
  /** The client's requests that this transport watches, by id. */
  readonly #requests = new Map<unknown, OpenRequest>();
  readonly #entries: ServerEntries;
  /** Whether the client has declared servers of its own, whose calls pass. */
  #clientServes = false;
  /** Messages that wait until the addresses of a session exist. */
  #held: { readonly message: Message; readonly text: string | undefined }[] | undefined;
  #holding: Promise<void> | undefined;
  #isPausedByClient = false;
  #isPausedByCalls = false;
  #isEnded = false;

  constructor(inner: Transport, parts: McpTransportParts) {
    const { servers, report } = parts;
    this.#inner = inner;
    this.#parts = parts;
    this.#entries = new ServerEntries(inner, parts);
    this.#calls = new AgentCalls({ servers, report, write: (message) => this.#write(message) });
  }

  get command(): string | undefined {
    return this.#inner.command;
  }

  get full(): Promise<void> | undefined {
    return this.#holding ?? this.#inner.full;
  }

  start(receiver: TransportReceiver): void {
    this.#parts.forwarded?.start((message) => {
      if (!this.#isEnded) receiver.message(message, 0);
    });
    this.#inner.start({
      message: (value, size) => {
        const passed = isJsonObject(value) ? this.#fromAgent(value) : value;
        if (passed !== undefined) receiver.message(passed, size);
      },
      // Messages are read only if they can be about servers
      ...(receiver.text !== undefined && {
        text: (text, size, read) => this.#passesText && receiver.text?.(text, size, read) === true,
      }),
      malformed: (input) => receiver.malformed(input),
      ended: () => {
        this.#calls.abort(new Error("The agent disconnected"));
        receiver.ended();
      },
      failed: (error) => {
        this.#end(error);
        receiver.failed(error);
      },
    });
  }

  send(message: Message, text?: string): number {
    if (this.#parts.forwarded?.received(message as unknown as JsonObject) === true) return 0;
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
    else if (!this.#parts.servers.isEmpty && (method === "session/prompt" || ending.has(method))) {
      const { sessionId } = (message.params ?? {}) as { readonly sessionId?: unknown };
      if (typeof sessionId === "string")
        this.#requests.set(id, { is: method === "session/prompt" ? "prompt" : "ending", sessionId });
    }
    return this.#inner.send(message, text);
  }

  #declare(message: Extract<Message, { method: string; id: unknown }>, text: string | undefined): number {
    const params = message.params as OpeningParams | undefined;
    if (!isJsonObject(params) || typeof params.cwd !== "string" || !this.#adds) return this.#inner.send(message, text);
    const { servers, forwarded } = this.#parts;
    const sessionId = message.method === "session/fork" ? undefined : params.sessionId;
    const session = servers.declare(params as OpeningParams, sessionId);
    this.#requests.set(message.id, { is: "opening", session, sessionId });
    const given: readonly unknown[] = Array.isArray(params.mcpServers) ? params.mcpServers : [];
    const others = forwarded === undefined ? given : given.filter((server) => !isAcpServer(server));
    const names = new Set(others.map((server) => member(server, "name")));
    this.#clientServes ||= others.some(isAcpServer);
    const send = (entries: readonly JsonObject[]): number =>
      entries.length === 0 && others === given
        ? this.#inner.send(message, text)
        : this.#inner.send({
            jsonrpc: "2.0",
            id: message.id,
            method: message.method,
            params: { ...params, mcpServers: [...others, ...entries] },
          });
    const entries = session.servers.map((server) => {
      if (!names.has(server.name)) return this.#entries.of(server, session);
      return this.#entries.leaveOut(server, "the session has another server with this name");
    });
    if (entries.every((entry) => !(entry instanceof Promise))) return send(entries.flat() as JsonObject[]);
    this.#hold(Promise.all(entries).then((ready) => send(ready.flat())));
    return 0;
  }

  /** Whether this transport adds servers. Those of the client pass if the agent or no address reaches them. */
  get #adds(): boolean {
    const { forwarded } = this.#parts;
    return forwarded === undefined || this.#entries.isBridged;
  }

  get #passesText(): boolean {
    return this.#parts.forwarded !== undefined && this.#requests.size === 0 && this.#parts.servers.isEmpty;
  }

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

  /** Returns the message for the client; `undefined` if the message was meant for a server. */
  #fromAgent(message: JsonObject): JsonObject | undefined {
    const { method, params } = message;
    if (method === undefined) return this.#requests.size > 0 ? this.#responded(message) : message;
    if (callMethods.has(method)) {
      if (this.#parts.forwarded !== undefined || (this.#clientServes && !this.#calls.serves(params))) return message;
      this.#calls.receive(message);
      return undefined;
    }
    if (method === CANCEL_REQUEST) return this.#calls.cancel(member(params, "requestId")) ? undefined : message;
    if (this.#entries.version !== 1 && method === "session/update") this.#updated(params);
    return message;
  }

  #responded(response: JsonObject): JsonObject {
    const { id, result } = response;
    const request = this.#requests.get(id);
    if (request === undefined) return response;
    this.#requests.delete(id);
    const { servers, forwarded } = this.#parts;
    const values = isJsonObject(result) ? result : undefined;
    if (request.is === "initialize") {
      this.#entries.initialized(values ?? {});
      return forwarded !== undefined && this.#adds ? withAcp(response, this.#entries.version) : response;
    }
    if (request.is === "opening") {
      const sessionId = request.sessionId ?? values?.sessionId;
      if (values !== undefined && typeof sessionId === "string") servers.opened(request.session, sessionId);
      else servers.failed(request.session);
    } else if (request.is === "ending") servers.closed(request.sessionId);
    else if (values?.stopReason === "cancelled") servers.turnCancelled(request.sessionId);
    return response;
  }

  /** In version 2, an update says that a turn has ended. */
  #updated(params: unknown): void {
    const update = member(params, "update");
    if (member(update, "sessionUpdate") !== "state_update" || member(update, "state") !== "idle") return;
    const sessionId = member(params, "sessionId");
    if (member(update, "stopReason") === "cancelled") this.#parts.servers.turnCancelled(String(sessionId));
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

  #end(reason: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#entries.end();
    this.#calls.abort(reason);
    this.#requests.clear();
    this.#parts.onEnd(reason);
  }
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
