import {
  JsonRpcErrorCode,
  type MalformedInput,
  type Message,
  type RequestId,
  type Transport,
  type TransportReceiver,
} from "@acp-kit/jsonrpc";
import {
  type Deferred,
  deferred,
  excerptHead,
  isJsonObject,
  type JsonObject,
  settledWithin,
} from "@acp-kit/jsonrpc/internal";
import { headerNames, RESPONSES_IN_SESSION, SESSION_NOT_OPEN, standardHeaders } from "../wire/header-names.js";
import { createdSessionOf, createsSession, endsSession } from "../wire/message-kind.js";
import { parseMessageText, utf8Length } from "../wire/message-text.js";
import type { RemoteError } from "../wire/remote-error.js";
import { sessionHeader } from "../wire/session-header.js";
import { textOfMessage } from "../wire/text-of-message.js";
import type { ConnectionChange } from "./connection-change.js";
import { EventStreamClient } from "./event-stream-client.js";
import type { AllRemoteLimits } from "./http-agent-options.js";
import type { HttpRequests } from "./http-requests.js";
import { MessageRoutes, type OpenRequest } from "./message-routes.js";
import { PostQueue, type QueuedPost } from "./post-queue.js";
import { whenQuiet } from "./when-quiet.js";

/** The options of an {@link HttpTransport}. */
export interface HttpTransportOptions {
  readonly requests: HttpRequests;
  readonly limits: AllRemoteLimits;
  /** Receives a report when the connection's sockets break, and when they work again. */
  readonly onChange: (change: ConnectionChange) => void;
}

/**
 * - `new`: no message was sent.
 * - `initializing`: `initialize` has no response yet.
 * - `open`: the server has accepted the connection. With `resumes`, the server executes a repeated POST once, and
 *   continues broken streams.
 * - `closing`: this side has closed; queued messages are still sent.
 * - `ended`: nothing is sent or delivered any more.
 */
type TransportState =
  | { readonly is: "new" | "initializing" | "ended" }
  | { readonly is: "open"; readonly connectionId: string; readonly resumes: boolean }
  | { readonly is: "closing"; readonly connectionId: string | undefined };

/** The client side of a connection over streamable HTTP. `httpAgent` creates it. */
export class HttpTransport implements Transport {
  readonly #requests: HttpRequests;
  readonly #limits: AllRemoteLimits;
  readonly #onChange: (change: ConnectionChange) => void;
  readonly #ended = deferred();
  readonly #posts: PostQueue;
  readonly #routes = new MessageRoutes();
  readonly #sessions = new Map<string, EventStreamClient>();
  #connectionStream: EventStreamClient | undefined;
  #state: TransportState = { is: "new" };
  #receiver: TransportReceiver | undefined;
  #paused = false;
  #room: Deferred<void> | undefined;
  #early: { readonly error: RemoteError } | undefined;
  #closing: Promise<void> | undefined;

  constructor({ requests, limits, onChange }: HttpTransportOptions) {
    this.#requests = requests;
    this.#limits = limits;
    this.#onChange = onChange;
    this.#posts = new PostQueue({
      requests,
      limits,
      listener: {
        refused: (post, error) => this.#refused(post, error),
        failed: (error) => this.fail(error),
        drained: () => this.#drained(),
      },
    });
  }

  /** Resolves when the transport has closed: after that, no message is sent or delivered. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get full(): Promise<void> | undefined {
    if (this.#posts.waiting <= this.#limits.maxUnsentBytes) return undefined;
    this.#room ??= deferred();
    return this.#room.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    const early = this.#early;
    if (early !== undefined) queueMicrotask(() => receiver.failed(early.error));
  }

  send(message: Message, known?: string): number {
    const text = known ?? textOfMessage(message);
    if (this.#state.is === "ended" || this.#state.is === "closing") return 0;
    const object = message as unknown as JsonObject;
    const { sessionId, method } = this.#routes.sent(object);
    if (this.#state.is === "new") {
      if (method === "initialize") {
        this.#state = { is: "initializing" };
        void this.#initialize(text);
      } else {
        queueMicrotask(() => this.#notSent(object)); // after `send` has returned
      }
      return text.length;
    }
    const isSessionCall = sessionId !== undefined && method !== undefined;
    const before = isSessionCall ? this.#sessionStream(sessionId)?.opened : undefined;
    this.#posts.add({ text, sessionId, before });
    return text.length;
  }

  pause(): void {
    this.#paused = true;
    for (const stream of this.#streams()) stream.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const stream of this.#streams()) stream.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Breaks the connection. The receiver gets the error. */
  fail(error: RemoteError): void {
    if (this.#state.is === "ended") return;
    const wasClosing = this.#state.is === "closing";
    this.#end();
    if (wasClosing) return;
    if (this.#receiver === undefined) this.#early = { error };
    else this.#receiver.failed(error);
  }

  async #initialize(text: string): Promise<void> {
    try {
      const begun = await this.#requests.send({
        method: "POST",
        headers: {
          "content-type": "application/json",
          [standardHeaders.idempotencyKey]: INITIALIZE_KEY,
          [standardHeaders.prefer]: RESPONSES_IN_SESSION,
        },
        body: text,
        timeoutMs: this.#limits.initializeTimeoutMs,
      });
      if (begun.response.status !== 200) throw await this.#requests.errorOf(begun, "initialize at");
      const connectionId = begun.response.headers.get(headerNames.connection);
      const body = await this.#requests.bodyOf(begun, this.#limits.maxMessageBytes);
      if (this.#state.is !== "initializing") return;
      const value = body === undefined ? undefined : this.#parse(body);
      if (value === undefined) throw this.#badResponse("a body that is not a JSON-RPC response");
      const isRefused = "error" in value;
      if (isRefused) {
        this.#state = { is: "new" }; // the agent rejected `initialize`: the application may try again
        // Some servers have opened a connection all the same
        if (connectionId !== null) void this.#delete(connectionId);
      } else if (connectionId === null) {
        throw this.#badResponse("no header Acp-Connection-Id");
      } else {
        this.#opened(connectionId, begun.response.headers.get(standardHeaders.idempotencyKey) === INITIALIZE_KEY);
      }
      this.#message(value, body?.length ?? 0);
      if (isRefused) for (const post of this.#posts.takeAll()) this.#notSent(JSON.parse(post.text) as JsonObject);
    } catch (error) {
      this.fail(error as RemoteError);
    }
  }

  #notSent(message: JsonObject): void {
    const { id, method } = message;
    const what = typeof method === "string" ? method : "A response";
    const problem = `${what} was not sent: a connection begins with initialize, and the agent has to accept it.`;
    if (typeof method !== "string" || id === undefined) this.#report(problem);
    else this.#message({ jsonrpc: "2.0", id, error: { code: JsonRpcErrorCode.invalidRequest, message: problem } }, 0);
  }

  #report(message: string): void {
    this.#receiver?.malformed({ kind: "not_json", message, excerpt: "", size: 0 });
  }

  #badResponse(what: string): RemoteError {
    const message = `${this.#requests.url} responded to initialize with ${what}: is it an ACP endpoint?`;
    return this.#requests.error("bad_response", message, { status: 200 });
  }

  #opened(connectionId: string, resumes: boolean): void {
    this.#state = { is: "open", connectionId, resumes };
    const stream = this.#newStream(connectionId, resumes, undefined);
    this.#connectionStream = stream;
    stream.start({
      event: (data, size) => this.#received(data, size, undefined),
      malformed: (input) => this.#malformed(input, undefined),
      ended: (error) => this.#connectionEnded(error),
      changed: (change) => {
        // The server ends the streams when this side closes the connection
        if (this.#state.is === "open") this.#onChange(change);
      },
    });
    void stream.opened.then(() => this.#posts.open(connectionId, resumes));
  }

  #sessionStream(sessionId: string): EventStreamClient | undefined {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    if (this.#state.is !== "open") return undefined;
    const stream = this.#newStream(this.#state.connectionId, this.#state.resumes, sessionId);
    this.#sessions.set(sessionId, stream);
    stream.start({
      event: (data, size) => this.#received(data, size, sessionId),
      malformed: (input) => this.#malformed(input, sessionId),
      ended: (error) => this.#sessionEnded(sessionId, error),
    });
    return stream;
  }

  #newStream(connectionId: string, resumes: boolean, sessionId: string | undefined): EventStreamClient {
    const stream = new EventStreamClient({
      requests: this.#requests,
      headers: {
        [headerNames.connection]: connectionId,
        ...(sessionId !== undefined && sessionHeader(sessionId)),
      },
      resumes,
      limits: this.#limits,
    });
    if (this.#paused) stream.pause();
    return stream;
  }

  #received(data: string, size: number, stream: string | undefined): void {
    const value = this.#parse(data, size, stream);
    if (value === undefined) return;
    const id = value.id as RequestId | undefined;
    const request = typeof value.method !== "string" && id !== undefined ? this.#routes.find(id) : undefined;
    const session = request?.sessionId === undefined ? undefined : this.#sessions.get(request.sessionId);
    if (request?.replays === true && stream === undefined && session !== undefined) {
      whenQuiet(session, () => this.#message(value, size));
    } else {
      this.#message(value, size);
    }
  }

  #message(value: JsonObject, size: number): void {
    if (this.#state.is === "ended" || this.#state.is === "closing") return;
    const request = this.#routes.received(value);
    if (request !== undefined && "result" in value) this.#settled(request, value);
    this.#receiver?.message(value, size);
  }

  #settled({ method, sessionId }: OpenRequest, response: JsonObject): void {
    if (createsSession(method)) {
      const created = createdSessionOf(response);
      if (created !== undefined) this.#sessionStream(created);
    } else if (sessionId !== undefined && endsSession(method)) {
      this.#sessions.get(sessionId)?.stop();
      this.#sessions.delete(sessionId);
    }
  }

  #connectionEnded(error: RemoteError | undefined): void {
    if (error !== undefined) {
      this.fail(error);
    } else if (this.#state.is === "open") {
      this.#receiver?.ended();
    }
  }

  /**
   * Handles the final end of a session's stream. Responses that were to arrive in this stream are lost. The next
   * message of the session opens the stream again. A server that continues streams ends a session's stream for good
   * only when it ends the connection, unless it refuses the stream. In that case, this method ends the connection, too.
   */
  #sessionEnded(sessionId: string, error: RemoteError | undefined): void {
    this.#sessions.delete(sessionId);
    const isRefused = error !== undefined && error.code !== "connection_lost" && error.status !== undefined;
    if (this.#state.is === "open" && this.#state.resumes && !isRefused) {
      this.#connectionEnded(error);
      return;
    }
    const why = `The response is lost: ${error?.message ?? "the server ended the stream of the session"}`;
    for (const { id } of this.#routes.ofSession(sessionId)) this.#reject(id, why, error);
  }

  #refused(post: QueuedPost, error: RemoteError): void {
    const message = JSON.parse(post.text) as JsonObject;
    const id = message.id as RequestId | undefined;
    const isRequest = typeof message.method === "string" && id !== undefined;
    const refusal = errorIn(error.body);
    const named = isRequest && refusal?.id === id;
    const isLost =
      error.code === "unauthorized" ||
      error.code === "forbidden" ||
      (error.code === "connection_lost" && refusal?.code !== SESSION_NOT_OPEN);
    if (isRequest && (named || !isLost)) this.#reject(id, error.message, error);
    else if (message.method === undefined || isLost)
      this.fail(error); // the server refused a response to the agent, which would wait for it forever
    else this.#report(error.message);
  }

  #reject(id: RequestId, message: string, error: RemoteError | undefined): void {
    const data = error === undefined ? {} : { data: { status: error.status, body: error.body } };
    const { code = -32_603 } = errorIn(error?.body) ?? {};
    this.#message({ jsonrpc: "2.0", id, error: { code, message, ...data } }, 0);
  }

  #parse(text: string, size: number = utf8Length(text), stream?: string): JsonObject | undefined {
    const parsed = parseMessageText(text, size, this.#limits);
    if ("malformed" in parsed) this.#malformed(parsed.malformed, stream);
    else if (isJsonObject(parsed.value)) return parsed.value;
    else this.#receiver?.message(parsed.value, size); // the connection reports the invalid message
    return undefined;
  }

  /**
   * Reports a skipped message to the JSON-RPC connection. If the message was too large, the connection reads its id
   * from its first characters (`excerpt`). The connection then responds to a skipped request with an error. If a
   * response was skipped, it rejects the pending request.
   */
  #malformed(input: MalformedInput, stream: string | undefined): void {
    const head = input.kind === "too_large" ? excerptHead(input.excerpt) : undefined;
    if (head?.kind === "request") this.#routes.requested(head.id, stream);
    else if (head?.kind === "response") this.#routes.settled(head.id);
    this.#receiver?.malformed(input);
  }

  #drained(): void {
    if (this.#room === undefined || this.#posts.waiting > this.#limits.maxUnsentBytes / 2) return;
    this.#room.resolve();
    this.#room = undefined;
  }

  #streams(): EventStreamClient[] {
    const sessions = [...this.#sessions.values()];
    return this.#connectionStream === undefined ? sessions : [this.#connectionStream, ...sessions];
  }

  async #close(): Promise<void> {
    if (this.#state.is === "ended") return;
    const connectionId = this.#state.is === "open" ? this.#state.connectionId : undefined;
    this.#state = { is: "closing", connectionId };
    // Reads and drops later messages, so that the server does not block
    for (const stream of this.#streams()) stream.resume();
    if (connectionId !== undefined) {
      await settledWithin(this.#limits.closeTimeoutMs, this.#posts.idle());
      await settledWithin(this.#limits.closeTimeoutMs, this.#delete(connectionId));
    }
    this.#end();
  }

  /** Ends a connection at the server. Never rejects: without this request, the server ends it later. */
  async #delete(connectionId: string): Promise<void> {
    const headers = { [headerNames.connection]: connectionId };
    try {
      (await this.#requests.send({ method: "DELETE", headers, timeoutMs: this.#limits.closeTimeoutMs })).abort();
    } catch {}
  }

  #end(): void {
    this.#state = { is: "ended" };
    for (const stream of this.#streams()) stream.stop();
    this.#sessions.clear();
    this.#posts.end();
    this.#requests.close();
    this.#room?.resolve();
    this.#room = undefined;
    this.#ended.resolve();
  }
}

/** The `Idempotency-Key` of `initialize`. The later POSTs have the numbers from 1. */
const INITIALIZE_KEY = '"0"';

/** Returns the id and code of the JSON-RPC error in the body of a refusal; `undefined` if the body is not JSON. */
function errorIn(body: string | undefined): { readonly id: unknown; readonly code?: number } | undefined {
  try {
    const { id, error } = JSON.parse(body ?? "") as { id?: unknown; error?: { code?: unknown } };
    const code = error?.code;
    return Number.isSafeInteger(code) ? { id, code: code as number } : { id };
  } catch {
    return undefined;
  }
}
