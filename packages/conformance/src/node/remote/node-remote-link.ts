import type { DialogueLog } from "../../dialogue.js";
import { connectionHeader } from "../../remote/remote-context.js";
import type {
  EventStream,
  FrameLink,
  HttpReply,
  HttpRequest,
  HttpVersion,
  RemoteLink,
} from "../../remote/remote-link.js";
import { after } from "../../timer.js";
import { CookieJar } from "./cookie-jar.js";
import { HttpExchange, type OpenReply } from "./http-exchange.js";
import { readEventStream } from "./node-event-stream.js";
import { openFrameLink } from "./node-frame-link.js";
import type { RemoteTarget } from "./remote-target.js";

/** The maximum length of a body, in characters. The kit does not read the rest. */
const MAX_BODY = 4_000_000;

/** How long the server may take to end the connections of a link that closes, in milliseconds. */
const END_MS = 500;

/** A link over Node's HTTP clients and the package `ws`. `version` is the default version of HTTP. */
export class NodeRemoteLink implements RemoteLink {
  readonly #target: RemoteTarget;
  readonly #log: DialogueLog;
  readonly #version: HttpVersion;
  readonly #exchange: HttpExchange;
  readonly #cookies = new CookieJar();
  readonly #open = new Set<{ close(): void }>();
  /** How to end each open connection over streamable HTTP, by its id. */
  readonly #connections = new Map<
    string,
    { readonly headers: Record<string, string>; readonly version: HttpVersion }
  >();

  constructor(target: RemoteTarget, log: DialogueLog, version: HttpVersion) {
    this.#target = target;
    this.#log = log;
    this.#version = version;
    this.#exchange = new HttpExchange(withScheme(target.url, "http"), target);
  }

  async request(request: HttpRequest, version: HttpVersion = this.#version): Promise<HttpReply> {
    const open = await this.#send(request, version);
    try {
      return this.#replied(open, await textOf(open, this.#target.limitMs));
    } finally {
      open.close();
    }
  }

  async stream(headers: Readonly<Record<string, string>>): Promise<EventStream | HttpReply> {
    const open = await this.#send({ method: "GET", headers }, this.#version);
    const isStream = open.status === 200 && /^text\/event-stream\b/i.test(open.headers["content-type"] ?? "");
    if (!isStream) {
      const reply = this.#replied(open, await textOf(open, this.#target.limitMs));
      open.close();
      return reply;
    }
    const session = headers["acp-session-id"];
    const name = session === undefined ? "stream of the connection" : `stream of the session ${session}`;
    const stream = readEventStream(open, this.#replied(open, ""), name, this.#log);
    this.#open.add(stream);
    return stream;
  }

  async upgrade(): Promise<FrameLink | HttpReply> {
    const target = { ...this.#target, headers: this.#cookies.addTo(this.#target.headers) };
    const link = await openFrameLink(withScheme(this.#target.url, "ws"), target, this.#log);
    if ("close" in link) this.#open.add(link);
    return link;
  }

  /** Ends every stream, socket and connection, so that the server need not keep an agent for each of them. */
  async close(): Promise<void> {
    for (const each of this.#open) each.close();
    await this.#endConnections();
    await this.#exchange.close();
  }

  async #endConnections(): Promise<void> {
    const ended = [...this.#connections.values()].map(async ({ headers, version }) => {
      const open = await this.#exchange.open({ method: "DELETE", headers }, version);
      open.close();
    });
    let stopTimer = (): void => {};
    const late = new Promise<void>((resolve) => {
      stopTimer = after(END_MS, resolve);
    });
    await Promise.race([Promise.allSettled(ended), late]);
    stopTimer();
  }

  async #send({ method, headers = {}, body }: HttpRequest, version: HttpVersion): Promise<OpenReply> {
    const path = this.#target.url.pathname;
    this.#log.message("client", { http: { method, path, version, headers, ...(body !== undefined && { body }) } });
    const all = this.#cookies.addTo({ ...this.#target.headers, ...headers });
    const open = await this.#exchange.open({ method, headers: all, ...(body !== undefined && { body }) }, version);
    this.#cookies.store(open.setCookies);
    const created = open.headers[connectionHeader];
    if (method === "POST" && created !== undefined) {
      // The cookies of this moment, because a later connection may have others.
      const ending = this.#cookies.addTo({ ...this.#target.headers, [connectionHeader]: created });
      this.#connections.set(created, { headers: ending, version });
    }
    if (method === "DELETE") this.#connections.delete(headers[connectionHeader] ?? "");
    return open;
  }

  #replied({ status, headers }: OpenReply, body: string): HttpReply {
    const { seq } = this.#log.message("agent", { http: { status, headers, ...(body !== "" && { body }) } });
    return { status, headers, body, seq };
  }
}

/** Returns the URL with the scheme `http` or `ws`, or `https` or `wss` if the URL is secure. */
function withScheme(url: URL, family: "http" | "ws"): URL {
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  return new URL(`${family}${isSecure ? "s" : ""}:${url.href.slice(url.protocol.length)}`);
}

/** Returns the body as text. Cuts a body that does not end within the limit, such as a stream. */
async function textOf(open: OpenReply, limitMs: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const stopTimer = after(limitMs, () => open.close());
  try {
    for await (const bytes of open.body) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > MAX_BODY) break;
    }
  } catch {
    // The body ended with an error: return the part that arrived.
  } finally {
    stopTimer();
  }
  return text;
}
