import type { Readable } from "node:stream";
import { type Deferred, deferred, Queue } from "@acp-kit/jsonrpc/internal";
import type { HttpReply, ReplyReader } from "../client/http-reply.js";

/** The headers of a response as Node delivers them. Their names are in lower case; HTTP/2 adds its own with a colon. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The stream of a body: of HTTP/2 with `rstCode`, of HTTP/1.1 with `complete`. */
type BodyStream = Readable & { readonly rstCode?: number; readonly complete?: boolean };

/** Statuses whose responses have no body. */
const BODILESS = [204, 205, 304];

/** A response, without the objects of the class `Response`, which take a tenth of the time of a request. */
export class NodeReply implements HttpReply {
  readonly status: number;
  readonly received: ReceivedHeaders;
  readonly body: NodeBody | null;

  constructor(status: number, received: ReceivedHeaders, stream: BodyStream) {
    this.status = status;
    this.received = received;
    const hasBody = !BODILESS.includes(status);
    this.body = hasBody ? new NodeBody(stream) : null;
    if (!hasBody) stream.resume();
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get headers(): HttpReply["headers"] {
    return {
      get: (name) => {
        const value = this.received[name];
        return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
      },
      getSetCookie: () => {
        const value = this.received["set-cookie"];
        return value === undefined ? [] : typeof value === "string" ? [value] : [...value];
      },
    };
  }
}

/** The number of bytes of a body that are read before the application reads them. */
const READ_AHEAD = 65_536;

type BodyState = { readonly is: "open" | "whole" | "cancelled" } | { readonly is: "broken"; readonly error: unknown };

/** Reads a response's body. A broken connection is an error, which Node hides for HTTP/2. */
export class NodeBody implements ReplyReader {
  readonly #stream: BodyStream;
  #state: BodyState = { is: "open" };
  readonly #chunks: Queue<Uint8Array> = new Queue();
  #unread = 0;
  #reading: Deferred<{ readonly done: boolean; readonly value?: Uint8Array }> | undefined;

  constructor(stream: BodyStream) {
    this.#stream = stream;
    let failure: unknown;
    stream.on("data", (chunk: Uint8Array) => this.#received(chunk));
    stream.on("error", (error) => {
      failure = error;
    });
    stream.once("close", () => {
      const isWhole = stream.readableEnded && (stream.rstCode ?? 0) === 0 && stream.complete !== false;
      if (failure === undefined && isWhole) this.#end({ is: "whole" });
      else
        this.#end({ is: "broken", error: failure ?? new Error("The connection broke in the middle of the response.") });
    });
  }

  getReader(): this {
    return this;
  }

  /** Returns the next bytes. Only one call may be pending. */
  async read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }> {
    const value = this.#chunks.take();
    if (value !== undefined) {
      this.#unread -= value.length;
      if (this.#unread < READ_AHEAD) this.#stream.resume();
      return { done: false, value };
    }
    if (this.#state.is === "broken") throw this.#state.error;
    if (this.#state.is !== "open") return { done: true };
    this.#reading = deferred();
    return this.#reading.promise;
  }

  /** Drops the rest of the body. */
  async cancel(): Promise<void> {
    this.#chunks.clear();
    this.#end({ is: "cancelled" });
    this.#stream.destroy();
  }

  #received(value: Uint8Array): void {
    if (this.#state.is !== "open") return;
    if (this.#reading !== undefined) {
      this.#reading.resolve({ done: false, value });
      this.#reading = undefined;
      return;
    }
    this.#chunks.push(value);
    this.#unread += value.length;
    if (this.#unread >= READ_AHEAD) this.#stream.pause();
  }

  #end(state: BodyState): void {
    if (this.#state.is !== "open") return;
    this.#state = state;
    const reading = this.#reading;
    this.#reading = undefined;
    if (state.is === "broken") reading?.reject(state.error);
    else reading?.resolve({ done: true });
  }
}
