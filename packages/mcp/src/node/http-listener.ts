import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkMessageText } from "@acp-kit/jsonrpc";
import { after, every, isJsonObject, type JsonObject, messageLimitDefaults, onAbort } from "@acp-kit/jsonrpc/internal";
import { MODERN_REVISION, REVISION_MEMBER } from "../mcp-source.js";
import type { LocalServer, LocalServers } from "./local-server.js";

const MAX_BODY_BYTES = 4_194_304;
const MAX_UNREAD_BYTES = 1_048_576;

/** The limits of an {@link HttpListener}. */
export interface HttpListenerLimits {
  /** How long a client may take to send a request, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** How long a client may take to read the end of a response, in milliseconds. */
  readonly readerTimeoutMs: number;
}

const defaults: HttpListenerLimits = { bodyTimeoutMs: 30_000, readerTimeoutMs: 30_000 };

const KEEP_ALIVE_MS = 15_000;

/** The headers that must not be repeated, because two readers could read different values. */
const single = [
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-length",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
];

/** The methods whose params have a name or a URI that the header `Mcp-Name` repeats. */
const named: ReadonlySet<unknown> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** A refused HTTP request. */
class Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** The id of the refused request; `null` if it is not known. */
  readonly id: unknown;
  constructor(status: number, message: string, code = -32600, id: unknown = null) {
    this.status = status;
    this.message = message;
    this.code = code;
    this.id = id;
  }
}

/**
 * A server on the loopback interface for the MCP clients of agents on this machine: Streamable HTTP without sessions.
 * Each server of an ACP session has a path and a token of its own. Pages in a browser can't use it: a request with
 * `Origin`, or for another host, is refused.
 */
export class HttpListener {
  readonly #server: Server;
  readonly #servers: LocalServers;
  readonly #readerTimeoutMs: number;

  static async open(servers: LocalServers, limits: HttpListenerLimits = defaults): Promise<HttpListener> {
    const listener = new HttpListener(servers, limits);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once("error", reject);
      listener.#server.listen(0, "127.0.0.1", resolve);
    });
    return listener;
  }

  private constructor(servers: LocalServers, { bodyTimeoutMs, readerTimeoutMs }: HttpListenerLimits) {
    this.#servers = servers;
    this.#readerTimeoutMs = readerTimeoutMs;
    const times = {
      requestTimeout: bodyTimeoutMs,
      headersTimeout: bodyTimeoutMs / 3,
      connectionsCheckingInterval: bodyTimeoutMs / 6,
    };
    this.#server = createServer({ ...times, maxHeaderSize: 16_384 }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.unref().on("connection", (socket) => socket.unref());
    this.#server.maxConnections = 1024;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const server = this.#check(request);
      const message = await readBody(request);
      await answer(server, message, request, response);
      const stop = after(this.#readerTimeoutMs, () => response.destroy());
      response.once("close", stop);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "The request failed", -32603);
      const { status, code, message, id } = refusal;
      if (response.headersSent) response.destroy();
      else sendJson(response, status, { jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  #check(request: IncomingMessage): LocalServer {
    const { headers, rawHeaders, url = "", method } = request;
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const repeated = single.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
    if (repeated !== undefined) throw new Refusal(400, `The header ${repeated} is repeated`);
    if (headers.host !== `127.0.0.1:${this.port}` && headers.host !== `localhost:${this.port}`)
      throw new Refusal(403, "The header Host does not name this server");
    if (headers.origin !== undefined) throw new Refusal(403, "Pages in a browser can't use this server");
    const server = this.#servers.get(url.slice(1));
    if (server === undefined) throw new Refusal(404, "There is no MCP server at this path");
    const [scheme = "", token = "", ...more] = (headers.authorization ?? "").split(" ");
    if (scheme.toLowerCase() !== "bearer" || more.length > 0 || !server.isToken(token))
      throw new Refusal(401, "The token of the header Authorization is missing or wrong");
    if (method !== "POST") throw new Refusal(405, "This server takes POST requests only");
    if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
      throw new Refusal(415, "The body must be application/json");
    return server;
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const tooLarge = new Refusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const problem = checkMessageText(text, messageLimitDefaults); // a parsed value can need far more memory than its text
  if (problem !== undefined) throw new Refusal(400, problem);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The body is not JSON", -32700);
  }
}

async function answer(
  { eras, closed }: LocalServer,
  message: unknown,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  checkMirrors(message, headers);
  const call = new AbortController();
  const gone = { is: false };
  response.once("close", () => {
    gone.is = true;
    call.abort(new Error("The agent closed the request"));
  });
  const stopCall = onAbort(closed, () => call.abort(closed.reason));
  const isCall = isJsonObject(message) && message.method === "tools/call" && message.id !== undefined;
  // A call can take longer than clients wait for the headers of a response
  const stream = isCall && /text\/event-stream/.test(headers.accept ?? "") ? new EventStream(response) : undefined;
  const result = await eras.handle(message, (notification) => stream?.write(notification), call.signal);
  stopCall();
  if (gone.is) return;
  if (stream !== undefined) stream.end(result as JsonObject);
  else if (result === undefined) response.writeHead(202).end();
  else sendJson(response, statusOf(message, result), result);
}

/**
 * In the revision without a handshake, headers repeat the revision, the method, and the name of the tool, prompt or
 * resource. They may be missing, but must not differ, because programs on the way may have decided by them.
 */
function checkMirrors(message: unknown, headers: IncomingMessage["headers"]): void {
  const { id = null, method, params } = (isJsonObject(message) ? message : {}) as JsonObject;
  const { _meta, name, uri } = (isJsonObject(params) ? params : {}) as JsonObject;
  const meta = isJsonObject(_meta) ? _meta : {};
  if (!Object.hasOwn(meta, REVISION_MEMBER)) {
    if (id === null || headers["mcp-protocol-version"] !== MODERN_REVISION) return;
    throw new Refusal(400, `Invalid params: ${REVISION_MEMBER} is missing in _meta`, -32602, id);
  }
  const mirrors = [
    ["mcp-protocol-version", meta[REVISION_MEMBER]],
    ["mcp-method", method],
    ...(named.has(method) ? [["mcp-name", name ?? uri] as const] : []),
  ] as const;
  for (const [header, value] of mirrors) {
    if (headers[header] !== undefined && decoded(headers[header]) !== value)
      throw new Refusal(400, `The header ${header} and the body disagree`, -32020, id);
  }
}

/** Returns the value of a header, which clients encode if it has other characters than those of ASCII. */
function decoded(value: string | string[] | undefined): string {
  const [prefix, suffix] = ["=?base64?", "?="];
  const text = String(value);
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return text;
  return Buffer.from(text.slice(prefix.length, -suffix.length), "base64").toString("utf8");
}

/** In the revision without a handshake, the status repeats some errors. Older clients expect 200. */
function statusOf(message: unknown, { error }: JsonObject): number {
  if (!isJsonObject(error)) return 200;
  if (error.code === -32600) return 400;
  const { params } = message as JsonObject;
  const meta = isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {};
  if (!Object.hasOwn(meta, REVISION_MEMBER)) return 200;
  return error.code === -32601 ? 404 : error.code === -32022 ? 400 : 200;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  const text = jsonOf(value);
  response.writeHead(status, { "content-type": "application/json", ...(status === 405 && { allow: "POST" }) });
  response.end(text);
}

/** Returns the text of a message; that of an error if a result is not JSON. */
function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    const { id } = value as JsonObject;
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "The result is not JSON" } });
  }
}

/** A response as a stream of events, which stays open while a call runs. */
class EventStream {
  readonly #response: ServerResponse;
  readonly #stop: () => void;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    this.#stop = every(KEEP_ALIVE_MS, () => this.#send(": keep-alive\n\n"));
    response.once("close", this.#stop);
  }

  write(message: object): void {
    this.#send(`event: message\ndata: ${jsonOf(message)}\n\n`);
  }

  end(message: object): void {
    this.write(message);
    this.#stop();
    this.#response.end();
  }

  /** Ends the connection to a client that does not read. */
  #send(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(text);
  }
}
