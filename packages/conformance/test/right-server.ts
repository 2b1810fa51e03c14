import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, createSecureServer, type Http2SecureServer } from "node:http2";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
import { WebSocketServer } from "ws";

/** Any JSON value. Tests access its members without checks. */
// biome-ignore lint/suspicious/noExplicitAny: messages and their mistakes have every shape
type Message = any;

/** One mistake of a server. */
export interface ServerMistake {
  /** The HTTP status for each {@link Reason} for which the server sends another status than the correct one. */
  readonly status?: Readonly<Partial<Record<Reason, number>>>;
  /** Serves only HTTP/1.1. */
  readonly withoutHttp2?: boolean;
  readonly withoutConnectionHeader?: boolean;
  readonly wrongIdOfInitialize?: boolean;
  readonly bodyOfAccepted?: string;
  readonly keepsStreams?: boolean;
  /** Text that is not JSON. The server sends it as an event or a frame before each message. */
  readonly noise?: string;
  /** Sends every message on all streams. */
  readonly broadcasts?: boolean;
  /** Sends every response on all streams: first on the right one, and later on the others. */
  readonly repeatsResponses?: boolean;
  /** Sends the messages of a session on the stream of the connection. */
  readonly onConnectionStream?: boolean;
  readonly streamType?: string;
  readonly servesBinaryFrames?: boolean;
  readonly sendsBinaryFrames?: boolean;
  readonly needsNoInitialize?: boolean;
  readonly withoutProfile?: "http" | "webSocket";
  /** The status of every HTTP request without the profile of streamable HTTP, if it is not 405. The body is a page. */
  readonly statusOfPages?: number;
  /** Redirects every HTTP request, and every upgrade. */
  readonly redirect?: { readonly status: number; readonly location?: string };
  /**
   * Sets a cookie with each connection, and knows a connection only by both, like one of several servers behind a load
   * balancer.
   */
  readonly needsCookies?: boolean;
  /** Accepts only one request on each HTTP/2 session: announces the end of the session before the response. */
  readonly endsHttp2Sessions?: boolean;
  /** Never responds to the first request over HTTP/2. */
  readonly losesFirstHttp2?: boolean;
  /** Opens no stream of a connection, or none of a session. */
  readonly withoutStream?: "connection" | "session";
  readonly credentials?: string;
}

/** The reason why a reply has its HTTP status, such as `batch` for a POST of several messages at once. */
export type Reason =
  | "initialized"
  | "accepted"
  | "content type"
  | "batch"
  | "no connection"
  | "unknown connection"
  | "no session"
  | "foreign session"
  | "accept"
  | "deleted";

const right: Readonly<Record<Reason, number>> = {
  initialized: 200,
  accepted: 202,
  "content type": 415,
  batch: 501,
  "no connection": 400,
  "unknown connection": 404,
  "no session": 400,
  "foreign session": 404,
  accept: 406,
  deleted: 202,
};

interface Link {
  readonly sessions: Set<string>;
  /** The open streams by session id. The stream of the connection has the key "". */
  readonly streams: Map<string, ServerResponse>;
  readonly waiting: Map<string, string[]>;
}

/** A server with both profiles, for tests. It keeps every rule, except for its mistake. */
export class RightServer {
  readonly #mistake: ServerMistake;
  readonly #links = new Map<string, Link>();
  readonly #sockets = new Set<Socket>();
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #http2 = createHttp2Server((request, response) => void this.#serve(request as never, response as never));
  readonly #webSockets = new WebSocketServer({ noServer: true });
  #hasLost = false;
  readonly #listener: Server | Http2SecureServer | HttpsServer;

  /** @param tls serves over TLS, where ALPN decides the version of HTTP */
  constructor(mistake: ServerMistake = {}, tls?: { readonly key: string; readonly cert: string }) {
    this.#mistake = mistake;
    this.#listener = tls ? this.#secure(tls) : createNetServer((socket) => this.#route(socket));
    for (const server of [this.#http, ...(tls ? [this.#listener] : [])]) {
      server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket as Socket, head));
    }
    this.#webSockets.on("headers", (headers) => {
      if (!mistake.withoutConnectionHeader) headers.push(`Acp-Connection-Id: ${randomUUID()}`);
    });
  }

  /** The number of connections over streamable HTTP that no client has ended. */
  get openConnections(): number {
    return this.#links.size;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#listener.listen(0, "127.0.0.1", resolve));
    const { port } = this.#listener.address() as AddressInfo;
    return "setSecureContext" in this.#listener ? `https://localhost:${port}/acp` : `http://127.0.0.1:${port}/acp`;
  }

  #secure(tls: { readonly key: string; readonly cert: string }): Http2SecureServer | HttpsServer {
    const serve = (request: unknown, response: unknown): void => void this.#serve(request as never, response as never);
    const server = this.#mistake.withoutHttp2
      ? createHttpsServer(tls, serve)
      : createSecureServer({ ...tls, allowHTTP1: true }, serve);
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
    });
    server.on("sessionError", () => {}); // the kit ends its sessions
    return server;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  /**
   * Serves both versions of HTTP on one port: a connection of HTTP/2 with prior knowledge starts with the HTTP/2
   * preface.
   */
  #route(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const isHttp2 = first.subarray(0, 3).toString("latin1") === "PRI" && !this.#mistake.withoutHttp2;
      if (isHttp2) return void this.#http2.emit("connection", socket);
      this.#http.emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (reason: Reason, body = "", headers: Record<string, string | string[]> = {}): void => {
      response.writeHead(this.#mistake.status?.[reason] ?? right[reason], headers).end(body);
    };
    const http2 = (response as unknown as Http2Response).stream?.session;
    if (this.#mistake.endsHttp2Sessions) http2?.goaway();
    if (this.#mistake.losesFirstHttp2 && http2 && !this.#hasLost) {
      this.#hasLost = true;
      return;
    }
    const { credentials, redirect, withoutProfile, statusOfPages = 405 } = this.#mistake;
    if (redirect) {
      const { status, location } = redirect;
      return void response.writeHead(status, location === undefined ? {} : { location }).end();
    }
    if (withoutProfile === "http") return void response.writeHead(statusOfPages).end("<h1>A page</h1>");
    if (credentials !== undefined && request.headers.authorization !== credentials)
      return void response.writeHead(401).end();
    let body = "";
    for await (const bytes of request) body += String(bytes);
    if (request.method === "POST") return this.#post(request, body, reply);
    const id = header(request, "acp-connection-id");
    if (request.method === "GET" && !header(request, "accept").includes("text/event-stream")) {
      if (this.#mistake.status?.accept === undefined) return reply("accept");
    }
    if (id === "") return reply("no connection");
    const link = this.#linkOf(request);
    if (!link) return reply("unknown connection");
    const session = header(request, "acp-session-id");
    if (request.method === "GET" && this.#mistake.withoutStream === (session === "" ? "connection" : "session"))
      return void response.writeHead(404).end();
    if (request.method === "GET") return this.#stream(link, session, response);
    this.#links.delete(id);
    if (!this.#mistake.keepsStreams) for (const stream of link.streams.values()) stream.end();
    reply("deleted");
  }

  #post(request: IncomingMessage, body: string, reply: Reply): void {
    const message: Message = JSON.parse(body);
    const isInitialize = message.method === "initialize" && header(request, "acp-connection-id") === "";
    const refusal = this.#refusalOf(request, message);
    if (refusal !== undefined) reply(refusal);
    else if (isInitialize) this.#initialize(message, reply);
    else this.#accept(request, message, reply);
  }

  #refusalOf(request: IncomingMessage, message: Message): Reason | undefined {
    const { status = {} } = this.#mistake;
    const isJson = header(request, "content-type") === "application/json";
    if (!isJson && status["content type"] === undefined) return "content type";
    if (Array.isArray(message)) return "batch";
    const id = header(request, "acp-connection-id");
    if (id === "") return message.method === "initialize" ? undefined : "no connection";
    const link = this.#linkOf(request);
    if (!link) return "unknown connection";
    const session = header(request, "acp-session-id");
    const isOfSession = message.params?.sessionId !== undefined;
    if (isOfSession && session === "" && status["no session"] === undefined) return "no session";
    return session === "" || link.sessions.has(session) ? undefined : "foreign session";
  }

  #linkOf(request: IncomingMessage): Link | undefined {
    const id = header(request, "acp-connection-id");
    const isRouted = !this.#mistake.needsCookies || header(request, "cookie").includes(`server=secret-${id}`);
    return isRouted ? this.#links.get(id) : undefined;
  }

  #accept(request: IncomingMessage, message: Message, reply: Reply): void {
    const link = this.#links.get(header(request, "acp-connection-id"));
    reply("accepted", this.#mistake.bodyOfAccepted);
    if (!link) return;
    const session = header(request, "acp-session-id");
    for (const each of messagesFor(message, link.sessions)) this.#send(link, session, each);
  }

  #initialize(message: Message, reply: Reply): void {
    const id = randomUUID();
    this.#links.set(id, { sessions: new Set(), streams: new Map(), waiting: new Map() });
    const [response] = messagesFor(message, new Set());
    const shown = this.#mistake.wrongIdOfInitialize ? { ...response, id: "another" } : response;
    const headers = {
      ...(!this.#mistake.withoutConnectionHeader && { "acp-connection-id": id }),
      ...(this.#mistake.needsCookies && { "set-cookie": [`server=secret-${id}; Path=/; HttpOnly`, "theme=dark"] }),
    };
    reply("initialized", JSON.stringify(shown), { "content-type": "application/json", ...headers });
  }

  #stream(link: Link, session: string, response: ServerResponse): void {
    response.writeHead(200, { "content-type": this.#mistake.streamType ?? "text/event-stream" });
    response.write(": open\n\n");
    link.streams.set(session, response);
    for (const event of link.waiting.get(session) ?? []) response.write(event);
    link.waiting.delete(session);
  }

  #send(link: Link, session: string, message: Message): void {
    const { noise, broadcasts, onConnectionStream } = this.#mistake;
    const event = `${noise === undefined ? "" : `data: ${noise}\n\n`}data: ${JSON.stringify(message)}\n\n`;
    const keys = broadcasts ? [...link.streams.keys()] : [onConnectionStream ? "" : session];
    if (this.#mistake.repeatsResponses && message.method === undefined) {
      for (const [key, stream] of link.streams) if (key !== session) setImmediate(() => stream.write(event));
    }
    for (const key of keys) {
      const stream = link.streams.get(key);
      if (stream) stream.write(event);
      else link.waiting.set(key, [...(link.waiting.get(key) ?? []), event]);
    }
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { credentials, withoutProfile, redirect } = this.#mistake;
    if (redirect)
      return void socket.end(
        `HTTP/1.1 ${redirect.status} Elsewhere\r\nlocation: ${redirect.location ?? ""}\r\ncontent-length: 0\r\n\r\n`,
      );
    const isRefused = credentials !== undefined && request.headers.authorization !== credentials;
    if (isRefused || withoutProfile === "webSocket") {
      return void socket.end(
        `HTTP/1.1 ${isRefused ? "401 Unauthorized" : "404 Not Found"}\r\ncontent-length: 0\r\n\r\n`,
      );
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const sessions = new Set<string>();
      let isInitialized = this.#mistake.needsNoInitialize === true;
      webSocket.on("message", (bytes, isBinary) => {
        if (isBinary && !this.#mistake.servesBinaryFrames) return;
        const message: Message = JSON.parse(String(bytes));
        isInitialized ||= message.method === "initialize";
        if (!isInitialized) return webSocket.close(1002);
        for (const each of messagesFor(message, sessions)) {
          if (this.#mistake.noise !== undefined) webSocket.send(this.#mistake.noise);
          webSocket.send(JSON.stringify(each), { binary: this.#mistake.sendsBinaryFrames === true });
        }
      });
    });
  }
}

interface Http2Response {
  readonly stream?: { readonly session?: { goaway(): void } };
}

type Reply = (reason: Reason, body?: string, headers?: Record<string, string | string[]>) => void;

function header({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? "");
}

/** Returns the messages that an echo agent sends after a message of the client. */
function messagesFor(message: Message, sessions: Set<string>): readonly Message[] {
  const { id, method, params } = message;
  if (id === undefined || method === undefined) return [];
  const response = (outcome: Message): Message => ({ jsonrpc: "2.0", id, ...outcome });
  switch (method) {
    case "initialize":
      return [response({ result: { protocolVersion: 1, agentInfo: { name: "served", version: "1.0.0" } } })];
    case "session/new": {
      const sessionId = randomUUID();
      sessions.add(sessionId);
      return [response({ result: { sessionId } })];
    }
    case "session/prompt": {
      const update = { sessionUpdate: "agent_message_chunk", content: params.prompt[0] };
      const notification = {
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId: params.sessionId, update },
      };
      return [notification, response({ result: { stopReason: "end_turn" } })];
    }
    default:
      return [response({ error: { code: -32601, message: "Method not found" } })];
  }
}
