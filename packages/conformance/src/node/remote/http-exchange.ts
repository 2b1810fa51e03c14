import { request as httpRequest } from "node:http";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { request as httpsRequest } from "node:https";
import { type HttpRequest, type HttpVersion, LinkError } from "../../remote/remote-link.js";
import { after } from "../../timer.js";
import { cookieNames } from "./cookie-jar.js";

/** The head of a response, with its body as a stream of bytes. */
export interface OpenReply {
  readonly status: number;
  /** The headers, with the names of cookies only: `setCookies` has their values. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** How long an HTTP/2 session may take to close. */
const CLOSE_MS = 500;

/** Sends requests to one origin over HTTP/1.1 or HTTP/2, with exactly the given headers and body. */
export class HttpExchange {
  readonly #url: URL;
  readonly #limitMs: number;
  readonly #tls: { readonly ca?: string[] };
  #session: ClientHttp2Session | undefined;

  /**
   * @param url the endpoint; @param limitMs how long the head of a response may take;
   *
   * @param trusted the certificates to trust, by default those of Node
   */
  constructor(url: URL, { limitMs, trusted }: { readonly limitMs: number; readonly trusted?: readonly string[] }) {
    this.#url = url;
    this.#limitMs = limitMs;
    this.#tls = trusted ? { ca: [...trusted] } : {};
  }

  /** Sends a request and resolves with the head of its response. @throws {LinkError} if there is none in time. */
  open(request: HttpRequest, version: HttpVersion): Promise<OpenReply> {
    const reply = version === "2" ? this.#open2(request) : this.#open1(request);
    return inTime(reply, this.#limitMs, `${request.method} ${this.#url.pathname}`);
  }

  /**
   * Ends the HTTP/2 session. Closes it before destroying it, because Node 20 may crash while frames are being written.
   * Does not wait for the server after that: the session ends only with the server's side of the connection, which a
   * server may never close.
   */
  async close(): Promise<void> {
    const session = this.#session;
    if (!session || session.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        session.destroy();
        resolve();
      }, CLOSE_MS);
      session.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      session.close();
    });
  }

  #open1({ method, headers = {}, body }: HttpRequest): Promise<OpenReply> {
    const send = this.#url.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const sent = send(
        this.#url,
        { method, headers: withLength(headers, body), agent: false, ...this.#tls },
        (response) => {
          resolve({
            status: response.statusCode ?? 0,
            ...headersOf(response),
            body: response,
            close: () => void sent.destroy(),
          });
        },
      );
      sent.on("error", (error) => reject(new LinkError(error.message)));
      sent.end(body);
    });
  }

  #open2({ method, headers = {}, body }: HttpRequest): Promise<OpenReply> {
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => reject(new LinkError(error.message));
      // A server may close a session without an error at any time, for example after a number of requests: the next
      // request needs a new one.
      if (!this.#session || this.#session.closed || this.#session.destroyed) {
        this.#session = connect(this.#url.origin, this.#tls);
        this.#session.on("error", failed);
        this.#session.unref();
      }
      const path = `${this.#url.pathname}${this.#url.search}`;
      const stream = this.#session.request(
        { ...headers, ":method": method, ":path": path },
        { endStream: body === undefined },
      );
      stream.on("error", failed);
      stream.on("response", (head) => {
        const given = Object.entries(head).filter(([name]) => !name.startsWith(":"));
        resolve({
          status: Number(head[":status"]),
          ...headersOf({ headers: Object.fromEntries(given) }),
          body: stream,
          close: () => stream.close(constants.NGHTTP2_CANCEL),
        });
      });
      stream.on("close", () => reject(new LinkError("the stream was closed without a response")));
      if (body !== undefined) stream.end(body);
    });
  }
}

function withLength(headers: Readonly<Record<string, string>>, body: string | undefined): Record<string, string> {
  return body === undefined ? { ...headers } : { ...headers, "content-length": String(Buffer.byteLength(body)) };
}

/** Returns the headers of a response. Joins the values of a repeated header. */
export function headersOf({
  headers,
}: {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}): Pick<OpenReply, "headers" | "setCookies"> {
  const setCookies = [headers["set-cookie"] ?? []].flat();
  const given = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, name === "set-cookie" ? cookieNames(setCookies) : [value].flat().join(", ")] as const];
  });
  return { headers: Object.fromEntries(given), setCookies };
}

async function inTime<Value>(promise: Promise<Value>, limitMs: number, what: string): Promise<Value> {
  let stopTimer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const error = new LinkError(`no response to ${what} within ${limitMs / 1000} s`, { isLate: true });
    stopTimer = after(limitMs, () => reject(error));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stopTimer();
  }
}
