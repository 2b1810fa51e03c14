import { after, type Deferred, deferred, type Message, type RequestId, type TransportReceiver } from "@acp-kit/jsonrpc";
import { isJsonObject, type JsonObject } from "../../wire/message-kind.js";
import { textOfMessage } from "../../wire/message-text.js";
import { isRemoteError, RemoteError } from "../../wire/remote-error.js";
import type { ConnectionChange } from "../connection-change.js";
import type { RemoteAgentLimits } from "../http-agent-options.js";
import type { RemoteTransport } from "../remote-source.js";
import { askingToResume, Conversation, identityOf, withoutIdentity } from "./conversation.js";
import { PendingCalls } from "./pending-calls.js";

/** What a {@link ResumingTransport} is made with. */
export interface ResumingTransportOptions {
  /** Begins a connection. */
  readonly open: () => RemoteTransport;
  /** The address, for errors. */
  readonly url: string;
  readonly limits: Required<RemoteAgentLimits>;
  readonly onChange: (change: ConnectionChange) => void;
}

/**
 * - `plain`: the server has not said yet that it keeps sessions, or does not. Messages pass as they are.
 * - `connected`: to a server that does.
 * - `restoring`: the connection broke; another one is sought.
 * - `ended`: nothing is sent or delivered any more.
 */
type ResumingState =
  | { readonly is: "plain"; readonly connection: RemoteTransport }
  | { readonly is: "connected"; readonly connection: RemoteTransport; readonly conversation: Conversation }
  | { readonly is: "restoring"; readonly conversation: Conversation; readonly restored: Deferred<void> }
  | { readonly is: "ended" };

/** The first pause between two attempts. It doubles. */
const FIRST_DELAY_MS = 100;

/**
 * A connection that outlives its sockets, with a server that keeps sessions: when one breaks, another continues where it was. Calls stay pending, each
 * update and each request of the agent reaches the application once. With other servers it changes nothing.
 */
export class ResumingTransport implements RemoteTransport {
  readonly #options: ResumingTransportOptions;
  readonly #ended = deferred();
  #state: ResumingState;
  #receiver: TransportReceiver | undefined;
  /** The connection that is being tried. */
  #attempt: RemoteTransport | undefined;
  /** What the application sent before the server responded to `initialize`. */
  #initialize: JsonObject | undefined;
  #early: PendingCalls | undefined = new PendingCalls();
  /** Notifications that wait for a connection. */
  #unsent: JsonObject[] = [];
  #paused = false;
  #count = 0;

  constructor(options: ResumingTransportOptions) {
    this.#options = options;
    this.#state = { is: "plain", connection: options.open() };
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get full(): Promise<void> | undefined {
    if (this.#state.is === "restoring") return this.#state.restored.promise;
    return this.#state.is === "ended" ? undefined : this.#state.connection.full;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#state.is === "plain") this.#listen(this.#state.connection);
  }

  send(message: Message): number {
    const object = message as unknown as JsonObject;
    switch (this.#state.is) {
      case "plain":
        return this.#state.connection.send(this.#plain(object) as unknown as Message);
      case "connected": {
        const { connection, conversation } = this.#state;
        if (!isJsonObject(object)) return connection.send(message);
        const sent = conversation.send(object, true);
        return sent === undefined ? 0 : connection.send(sent as unknown as Message);
      }
      case "restoring": {
        const { length } = textOfMessage(message);
        const response = this.#state.conversation.send(object, false);
        if (response !== undefined) this.#attempt?.send(response as unknown as Message);
        if (typeof object.method === "string" && object.id === undefined) this.#unsent.push(object);
        return length;
      }
      case "ended":
        return 0;
    }
  }

  pause(): void {
    this.#paused = true;
    if (this.#state.is !== "restoring") this.#connection?.pause(); // its responses must arrive
  }

  resume(): void {
    this.#paused = false;
    this.#connection?.resume();
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#end();
    await connection?.close();
  }

  /** Ends it, whatever the server keeps. */
  fail(error: RemoteError): void {
    if (this.#state.is === "ended") return;
    const connection = this.#connection;
    if (this.#receiver === undefined) {
      connection?.fail(error); // it reports it when it is started
      return;
    }
    this.#end();
    connection?.fail(error);
    this.#receiver.failed(error);
  }

  get #connection(): RemoteTransport | undefined {
    if (this.#state.is === "plain" || this.#state.is === "connected") return this.#state.connection;
    return this.#attempt;
  }

  // The connection

  #listen(connection: RemoteTransport): void {
    connection.start({
      message: (value, size) => this.#received(connection, value, size),
      malformed: (input) => this.#receiver?.malformed(input),
      ended: () => this.#lost(connection, undefined),
      failed: (error) => this.#lost(connection, error),
    });
  }

  /** A message before it is known whether the server keeps sessions. */
  #plain(message: JsonObject): JsonObject {
    if (!isJsonObject(message)) return message; // nonsense of the application is the server's to refuse
    if (message.method === "initialize" && message.id !== undefined && isJsonObject(message.params)) {
      this.#initialize = message;
      return askingToResume(message);
    }
    if (typeof message.method === "string" && message.id !== undefined) this.#early?.add(message);
    return message;
  }

  #received(connection: RemoteTransport, value: unknown, size: number): void {
    const state = this.#state;
    if (state.is === "ended" || (state.is === "connected" && state.connection !== connection)) return;
    if (!isJsonObject(value) || state.is === "restoring") {
      this.#receiver?.message(value, size);
      return;
    }
    if (state.is === "connected") {
      this.#deliver(state.conversation, connection, value, size);
      return;
    }
    const initialize = this.#initialize;
    if (initialize !== undefined && value.id === initialize.id && typeof value.method !== "string") {
      const identity = identityOf(value);
      if (identity !== undefined) {
        const conversation = new Conversation(initialize, identity, this.#early ?? new PendingCalls());
        this.#state = { is: "connected", connection, conversation };
      }
      this.#early = undefined;
      this.#initialize = undefined;
      this.#receiver?.message(identity === undefined ? value : withoutIdentity(value), size);
      return;
    }
    if (typeof value.method !== "string") this.#early?.settle(value.id as RequestId);
    this.#receiver?.message(value, size);
  }

  #deliver(conversation: Conversation, connection: RemoteTransport, message: JsonObject, size: number): void {
    const { deliver, respond } = conversation.receive(message);
    if (respond !== undefined) connection.send(respond as unknown as Message);
    if (deliver !== undefined) this.#receiver?.message(deliver, size);
  }

  #lost(connection: RemoteTransport, error: unknown): void {
    const state = this.#state;
    if (state.is === "plain") {
      this.#end();
      if (error === undefined) this.#receiver?.ended();
      else this.#receiver?.failed(error);
    } else if (state.is === "connected" && state.connection === connection) {
      const { conversation } = state;
      this.#state = { is: "restoring", conversation, restored: deferred() };
      this.#options.onChange({ is: "lost", error: isRemoteError(error) ? error : undefined });
      for (const message of conversation.lost()) this.#receiver?.message(message, 0);
      connection.fail(this.#brokenError(error)); // not closed in order: the server keeps what belongs to it
      void this.#restore(conversation, error);
    }
  }

  // Restoring

  async #restore(conversation: Conversation, first: unknown): Promise<void> {
    const { url, limits } = this.#options;
    const giveUpAt = performance.now() + limits.reconnectTimeoutMs;
    let error = first;
    for (let delayMs = 0; this.#state.is === "restoring"; delayMs = nextDelay(delayMs, limits.maxReconnectDelayMs)) {
      if (isFinal(error)) return this.fail(error instanceof Hopeless ? error.reason : error);
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= delayMs) {
        const message = `The connection to ${url} broke and could not be restored within ${limits.reconnectTimeoutMs} ms (reconnectTimeoutMs).`;
        return this.fail(new RemoteError("connection_lost", message, { url, cause: error }));
      }
      await this.#sleep(delayMs);
      if (this.#state.is !== "restoring") return;
      const outcome = await this.#try(conversation, Math.min(leftMs - delayMs, limits.initializeTimeoutMs));
      if (outcome === "restored") return;
      error = outcome.error;
    }
  }

  /** One attempt: a connection, `initialize`, every session, then every call that is pending. */
  async #try(conversation: Conversation, timeoutMs: number): Promise<"restored" | { readonly error: unknown }> {
    const { url } = this.#options;
    const connection = this.#options.open();
    this.#attempt = connection;
    const exchange = new RestoreExchange(connection, (value, size) => {
      if (isJsonObject(value)) this.#deliver(conversation, connection, value, size);
      else this.#receiver?.message(value, size);
    });
    const stop = after(timeoutMs, () =>
      connection.fail(new RemoteError("timeout", `${url} did not respond within ${timeoutMs} ms.`, { url })),
    );
    try {
      connection.start({
        message: (value, size) => {
          if (!exchange.take(value)) exchange.pass(value, size);
        },
        malformed: (input) => this.#receiver?.malformed(input),
        ended: () => this.#attemptEnded(connection, exchange, undefined),
        failed: (error) => this.#attemptEnded(connection, exchange, error),
      });
      const response = await exchange.request(conversation.initializeAgain(this.#nextId()));
      const identity = identityOf(response);
      if (identity === undefined) throw refusedAgain(url, response);
      for (const message of conversation.reached(identity.server)) this.#receiver?.message(message, 0);
      await Promise.all(
        conversation.sessionsToResume.map(async (sessionId) => {
          const resumed = await exchange.request(conversation.resume(sessionId, this.#nextId()));
          assertResumed(url, resumed);
          for (const message of conversation.resumed(sessionId, resumed)) this.#receiver?.message(message, 0);
        }),
      );
      if (this.#state.is !== "restoring") return { error: undefined };
      this.#continue(conversation, connection);
      return "restored";
    } catch (error) {
      connection.fail(this.#brokenError(error));
      for (const message of conversation.lost()) this.#receiver?.message(message, 0);
      return { error };
    } finally {
      stop();
      this.#attempt = undefined;
    }
  }

  #continue(conversation: Conversation, connection: RemoteTransport): void {
    if (this.#state.is !== "restoring") return;
    const { restored } = this.#state;
    this.#state = { is: "connected", connection, conversation };
    if (this.#paused) connection.pause();
    for (const message of conversation.callsToRepeat()) connection.send(message as unknown as Message);
    for (const message of this.#unsent.splice(0)) connection.send(message as unknown as Message);
    restored.resolve();
    this.#options.onChange({ is: "restored" });
  }

  #brokenError(cause: unknown): RemoteError {
    const { url } = this.#options;
    return isRemoteError(cause)
      ? cause
      : new RemoteError("stream_broken", `The connection to ${url} ended.`, { url, cause });
  }

  #attemptEnded(connection: RemoteTransport, exchange: RestoreExchange, error: unknown): void {
    exchange.end(error);
    this.#lost(connection, error);
  }

  #nextId(): string {
    this.#count += 1;
    return `acp-kit/resume/${this.#count}`;
  }

  /** It keeps the process alive: callers wait for the connection. */
  async #sleep(ms: number): Promise<void> {
    if (ms === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      void this.#ended.promise.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #end(): void {
    if (this.#state.is === "restoring") this.#state.restored.resolve();
    this.#state = { is: "ended" };
    this.#unsent = [];
    this.#ended.resolve();
  }
}

interface Waiting {
  readonly resolve: (response: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests with which a connection is restored, and their responses. What else arrives passes. */
class RestoreExchange {
  readonly #connection: RemoteTransport;
  readonly #waiting = new Map<unknown, Waiting>();
  readonly pass: (value: unknown, size: number) => void;
  #end: { readonly error: unknown } | undefined;

  constructor(connection: RemoteTransport, pass: (value: unknown, size: number) => void) {
    this.#connection = connection;
    this.pass = pass;
  }

  request(message: JsonObject): Promise<JsonObject> {
    const end = this.#end;
    if (end !== undefined) return Promise.reject(end.error);
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { resolve, reject });
      this.#connection.send(message as unknown as Message);
    });
  }

  /** Whether the message is a response to one of the requests. */
  take(value: unknown): boolean {
    if (!isJsonObject(value) || typeof value.method === "string") return false;
    const waiting = this.#waiting.get(value.id);
    this.#waiting.delete(value.id);
    waiting?.resolve(value);
    return waiting !== undefined;
  }

  end(error: unknown): void {
    this.#end = { error };
    for (const response of this.#waiting.values()) response.reject(error);
    this.#waiting.clear();
  }
}

/** Carries an error after which no attempt helps. */
class Hopeless extends Error {
  readonly reason: RemoteError;

  constructor(reason: RemoteError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Another attempt would fail in the same way. */
function isFinal(error: unknown): error is RemoteError | Hopeless {
  if (error instanceof Hopeless) return true;
  if (!isRemoteError(error)) return false;
  if (error.code === "refused") return error.status !== 408 && error.status !== 429 && (error.status ?? 0) < 500;
  return final.has(error.code);
}

const final: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "aborted", "bad_response"]);

/** The server responds to `initialize` as one that keeps no sessions, or with an error: then a later attempt may succeed. */
function refusedAgain(url: string, { error }: JsonObject): Error {
  if (error !== undefined) return new RemoteError("refused", `${url} refused initialize.`, { url, status: 503 });
  return new Hopeless(new RemoteError("connection_lost", `${url} does not know the conversation any more.`, { url }));
}

/** @throws {Error} if the session could not be resumed, for now or for good. One that does not exist any more is no reason. */
function assertResumed(url: string, { error }: JsonObject): void {
  if (!isJsonObject(error) || error.code === -32_002) return;
  const reason = isJsonObject(error.data) ? error.data.reason : undefined;
  if (reason === "cursor_expired" || reason === "journal_lost") {
    const message = `${url} does not have the updates any more that were missed: load the session again (${reason}).`;
    throw new Hopeless(new RemoteError("connection_lost", message, { url }));
  }
  throw new RemoteError("refused", `${url} could not resume a session for the moment.`, { url, status: 503 });
}

function nextDelay(delayMs: number, maxMs: number): number {
  return delayMs === 0 ? Math.min(FIRST_DELAY_MS, maxMs) : Math.min(delayMs * 2, maxMs);
}
