import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { after } from "@acp-kit/jsonrpc/internal";
import { BodyChunks } from "../server/body-chunks.js";
import type { EventReader } from "../server/event-stream.js";
import type { BodyLimits, BodyText, HttpExchange, HttpReply } from "../server/exchange.js";
import { bodyBroken, bodyTooLarge, bodyTooSlow, noMemory } from "../server/read-message.js";
import type { Refusal } from "../server/refusal.js";
import { STREAM_START } from "../wire/sse-writer.js";
import { DiscardedBodies } from "./discarded-bodies.js";

/** A request of Node over HTTP/1.1 or HTTP/2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Reads a request of Node. Web streams would take more time than all other steps together. */
export class NodeExchange implements HttpExchange {
  readonly #request: NodeRequest;

  constructor(request: NodeRequest) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  header(name: string): string | null {
    const { headers } = this.#request;
    const value = headers[name] ?? (name === "host" ? headers[":authority"] : undefined);
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  }

  readBody({ maxBytes, timeoutMs, holding }: BodyLimits): Promise<BodyText> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const chunks = new BodyChunks();
      const stopWaiting = after(timeoutMs, () => stop(bodyTooSlow(timeoutMs)));
      const onData = (chunk: Buffer): void => {
        chunks.push(chunk);
        if (chunks.size > maxBytes) stop(bodyTooLarge(maxBytes));
        else if (!holding.set(chunks.size)) stop(noMemory());
      };
      const onEnd = (): void => {
        stop();
        const { buffer, byteOffset, byteLength } = chunks.join();
        const text = Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
        resolve({ text: text.startsWith("\ufeff") ? text.slice(1) : text, size: chunks.size }); // as `TextDecoder` does
      };
      const onBroken = (): void => stop(bodyBroken());
      const stop = (refusal?: Refusal): void => {
        stopWaiting();
        request
          .off("data", onData)
          .off("end", onEnd)
          .off("error", onBroken)
          .off("aborted", onBroken)
          .off("close", onBroken);
        if (refusal !== undefined) reject(refusal);
      };
      if (("stream" in request ? request.stream : request).destroyed) {
        onBroken(); // the event `close` may have occurred before, for example while the request was authenticated
        return;
      }
      request.on("data", onData).on("end", onEnd).on("error", onBroken).on("aborted", onBroken).on("close", onBroken);
    });
  }

  onGone(listener: () => void): () => void {
    const request = this.#request;
    // Not the request itself, which already closes when its body was read
    const channel = "stream" in request ? request.stream : request.socket;
    if (channel.destroyed) queueMicrotask(listener);
    channel.once("close", listener);
    return () => channel.off("close", listener);
  }

  toRequest(): Request {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#request.headers)) {
      if (name.startsWith(":") || value === undefined) continue;
      headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    }
    const scheme = (this.#request.socket as { encrypted?: boolean }).encrypted ? "https" : "http";
    const host = this.header("host");
    // A handler reads a missing `Host` from the URL, so the URL must not name a host that may be allowed.
    const url = `${scheme}://${host ?? NO_HOST}${this.#request.url ?? "/"}`;
    return new Request(URL.canParse(url) ? url : `${scheme}://${host === null ? NO_HOST : "localhost"}/`, {
      method: this.method,
      headers,
    });
  }
}

/** The host in the URL of a request that names none: a name that no server has. */
const NO_HOST = "no-host.invalid";

/** The longest time limit of a socket in Node. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** Sends a reply. Resets the connection if the client does not read the end of it for `stallTimeoutMs`. */
export function sendReply(
  request: NodeRequest,
  response: NodeResponse,
  { status, headers, body }: HttpReply,
  stallTimeoutMs: number,
  discarded: DiscardedBodies = new DiscardedBodies(),
): void {
  response.on("error", () => {}); // the event `close` follows
  const isOld = request.httpVersionMajor === 1;
  // If the body was not read to its end, Node must not parse the rest as the next request.
  const isUnread = isOld && !(request as IncomingMessage).complete;
  const hasLength = typeof body !== "object" && status !== 204;
  const length = hasLength ? { "content-length": String(Buffer.byteLength(body ?? "")) } : {};
  response.writeHead(status, isUnread ? { ...headers, ...length, connection: "close" } : headers);
  let isLimited = false;
  const limitRest = (): void => {
    if (isLimited) return;
    isLimited = true;
    const ms = Math.min(stallTimeoutMs, LONGEST_TIMEOUT_MS);
    (response as ServerResponse).setTimeout(ms, () => void response.destroy());
  };
  if (typeof body === "object") {
    sendEvents(response, body, limitRest);
    return;
  }
  if (isUnread) {
    // The response is complete for the client, which knows its length.
    if (body === undefined) (response as ServerResponse).flushHeaders();
    else (response as ServerResponse).write(body);
    discarded.discard(request, () => {
      response.end();
      response.once("finish", () => request.destroy());
    });
  } else (response as ServerResponse).end(body);
  // Otherwise the stream, and with it the session, stays open until the client ends the body.
  if ("stream" in request && !request.complete) response.once("finish", () => request.stream.close());
  if (body !== undefined) limitRest();
}

/** Whether the client has disconnected. The event `close` of the response was then emitted, or follows. */
function isGone(response: NodeResponse): boolean {
  return "stream" in response ? response.stream.destroyed : response.destroyed;
}

/** `ended` is called when no more events follow. The socket may then not have accepted the last events yet. */
function sendEvents(given: NodeResponse, events: EventReader, ended: () => void): void {
  // The members that this function calls are the same in both versions of HTTP
  const response = given as ServerResponse;
  let isFull = false;
  const pump = (): void => {
    if (isGone(given)) return;
    if (events.ended) ended();
    if (isFull) return;
    for (let text = events.take(); text !== undefined; text = events.take()) {
      if (response.write(text, events.written)) continue;
      isFull = true;
      return;
    }
    if (events.ended) {
      response.end();
      ended();
    }
  };
  response.on("drain", () => {
    isFull = false;
    pump();
  });
  if (isGone(given)) {
    events.close(); // the event `close` may have occurred before, for example while the request was authenticated
    return;
  }
  response.once("close", () => events.close());
  events.onWake(pump);
  response.write(STREAM_START);
  pump();
}
