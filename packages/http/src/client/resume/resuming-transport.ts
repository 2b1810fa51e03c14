import type { Message, TransportReceiver } from "@acp-kit/jsonrpc";
import { type Deferred, deferred, isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { isRemoteError, type RemoteError } from "../../wire/remote-error.js";
import { textOfMessage } from "../../wire/text-of-message.js";
import type { ConnectionChange } from "../connection-change.js";
import type { AllRemoteLimits } from "../http-agent-options.js";
import { nextDelay } from "../reconnect-delay.js";
import type { RemoteTransport } from "../remote-source.js";
import { Conversation, withoutIdentity } from "./conversation.js";
import { identityOf, type ServerIdentity } from "./identity.js";

/** The options of a {@link ResumingTransport}. */
export interface ResumingTransportOptions {
  /** Opens a connection. */
  readonly open: () => RemoteTransport;
  /** The address, for errors. */
  readonly url: string;
  readonly limits: AllRemoteLimits;
  readonly onChange: (change: ConnectionChange) => void;
}

/**
 * Creates a {@link RemoteError}. This module does not import the class: the build would give the module its own copy of
 * the class, and `instanceof` would not work for the copy.
 */
export type CreateRemoteError = (...details: ConstructorParameters<typeof RemoteError>) => RemoteError;

/** A connection to a server that keeps sessions. The server has responded to `initialize`. */
export interface BegunConversation {
  readonly connection: RemoteTransport;
  /** The request `initialize`, as the application sent it. */
  readonly initialize: JsonObject;
  readonly identity: ServerIdentity;
  readonly receiver: TransportReceiver;
}

/**
 * - `connected`: messages are sent and delivered.
 * - `restoring`: the connection broke. The client tries to open another connection.
 * - `ended`: nothing is sent or delivered any more.
 */
type ResumingState =
  | {
      readonly is: "connected";
      readonly connection: RemoteTransport;
      readonly conversation: Conversation;
      /** How the current connection was restored; `undefined` if it is the first one. */
      readonly outage?: Outage;
    }
  | { readonly is: "restoring"; readonly conversation: Conversation; readonly restored: Deferred<void> }
  | { readonly is: "ended" };

/** The time without a working connection, also over one that breaks at once: a repeated message may do that. */
interface Outage {
  readonly giveUpAt: number;
  /** The pause before the last attempt, in milliseconds. */
  readonly delayMs: number;
  readonly restoredAt: number;
  /** Whether a message has arrived on the restored connection. */
  isProven: boolean;
}

/** The longest delay of a timer on most platforms. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * A connection to a server that keeps sessions. When the connection breaks, the client continues on another connection:
 * calls stay pending, and the application receives each update and each request of the agent once.
 */
export class ResumingTransport {
  /** The receiver of the messages that arrive on the first connection. */
  readonly first: TransportReceiver;
  readonly #options: ResumingTransportOptions;
  readonly #errorOf: CreateRemoteError;
  readonly #ended = deferred();
  readonly #receiver: TransportReceiver;
  #state: ResumingState;
  /** The connection that the current attempt to connect again has opened. */
  #attempt: RemoteTransport | undefined;
  #paused = false;
  #count = 0;

  constructor(options: ResumingTransportOptions, begun: BegunConversation, errorOf: CreateRemoteError) {
    const { connection, initialize, identity, receiver } = begun;
    this.#options = options;
    this.#errorOf = errorOf;
    this.#receiver = receiver;
    this.#state = { is: "connected", connection, conversation: new Conversation(initialize, identity) };
    this.first = this.#listener(connection);
  }

  /** Delivers the response to `initialize`, without the members that the application did not request. */
  start(response: JsonObject, size: number): void {
    this.#receiver.message(withoutIdentity(response), size);
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get full(): Promise<void> | undefined {
    if (this.#state.is === "restoring") return this.#state.restored.promise;
    return this.#state.is === "ended" ? undefined : this.#state.connection.full;
  }

  send(message: Message): number {
    const object = message as unknown as JsonObject;
    switch (this.#state.is) {
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
        return length;
      }
      case "ended":
        return 0;
    }
  }

  pause(): void {
    this.#paused = true;
    // The responses that restore the connection must arrive
    if (this.#state.is !== "restoring") this.#connection?.pause();
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

  /** Ends the connection permanently. The receiver gets the error. */
  fail(error: RemoteError): void {
    if (this.#state.is === "ended") return;
    const connection = this.#connection;
    this.#end();
    connection?.fail(error);
    this.#receiver.failed(error);
  }

  get #connection(): RemoteTransport | undefined {
    if (this.#state.is === "connected") return this.#state.connection;
    return this.#attempt;
  }

  // The connection

  #listener(connection: RemoteTransport): TransportReceiver {
    return {
      message: (value, size) => this.#received(connection, value, size),
      malformed: (input) => this.#receiver.malformed(input),
      ended: () => this.#lost(connection, undefined),
      failed: (error) => this.#lost(connection, error),
    };
  }

  #received(connection: RemoteTransport, value: unknown, size: number): void {
    const state = this.#state;
    if (state.is === "ended" || connection !== this.#connection) return;
    if (state.is === "connected" && state.outage !== undefined) state.outage.isProven = true;
    if (!isJsonObject(value)) {
      this.#receiver.message(value, size);
      return;
    }
    const { deliver, respond } = state.conversation.receive(value);
    if (respond !== undefined) connection.send(respond as unknown as Message);
    if (deliver !== undefined) this.#receiver.message(deliver, size);
  }

  #lost(connection: RemoteTransport, error: unknown): void {
    const state = this.#state;
    if (state.is !== "connected" || state.connection !== connection) return;
    const { conversation, outage } = state;
    this.#state = { is: "restoring", conversation, restored: deferred() };
    if (!isFinal(error)) this.#options.onChange({ is: "lost", error: isRemoteError(error) ? error : undefined });
    for (const message of conversation.lost()) this.#receiver.message(message, 0);
    // Not an orderly close, because the server would then drop the conversation
    connection.fail(this.#brokenError(error));
    void this.#restore(conversation, error, outage);
  }

  // Restoring

  async #restore(conversation: Conversation, first: unknown, last: Outage | undefined): Promise<void> {
    const { url, limits } = this.#options;
    const now = performance.now();
    const goesOn = last?.isProven === false && now - last.restoredAt < limits.maxReconnectDelayMs ? last : undefined;
    let giveUpAt = goesOn?.giveUpAt ?? now + limits.reconnectTimeoutMs;
    let error = first;
    let delayMs = goesOn === undefined ? 0 : nextDelay(goesOn.delayMs, limits.maxReconnectDelayMs);
    for (; this.#state.is === "restoring"; delayMs = nextDelay(delayMs, limits.maxReconnectDelayMs)) {
      if (isFinal(error)) return this.fail(error instanceof Hopeless ? error.reason : error);
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= delayMs) {
        const message = `The connection to ${url} broke and could not be restored within ${limits.reconnectTimeoutMs} ms (reconnectTimeoutMs).`;
        return this.fail(this.#errorOf("connection_lost", message, { url, cause: error }));
      }
      await this.#sleep(delayMs);
      if (this.#state.is !== "restoring") return;
      const { moves } = conversation;
      const outcome = await this.#try(conversation, Math.min(leftMs - delayMs, limits.initializeTimeoutMs), {
        giveUpAt,
        delayMs,
      });
      if (outcome === "restored") return;
      error = outcome.error;
      if (conversation.moves === moves) continue;
      // The server replays missed updates before it responds. The next attempt continues after those that have arrived.
      giveUpAt = performance.now() + limits.reconnectTimeoutMs;
      delayMs = 0;
    }
  }

  /** Makes one attempt: connects, sends `initialize`, resumes every session, then repeats every pending call. */
  async #try(
    conversation: Conversation,
    timeoutMs: number,
    outage: Pick<Outage, "giveUpAt" | "delayMs">,
  ): Promise<"restored" | { readonly error: unknown }> {
    const { url } = this.#options;
    const connection = this.#options.open();
    this.#attempt = connection;
    const waiting = new Map<unknown, Waiting>();
    let end: { readonly error: unknown } | undefined;
    const request = (message: JsonObject): Promise<JsonObject> =>
      new Promise((resolve, reject) => {
        if (end !== undefined) return reject(end.error);
        waiting.set(message.id, { resolve, reject });
        connection.send(message as unknown as Message);
      });
    const lost = (error: unknown): void => {
      end = { error };
      for (const { reject } of waiting.values()) reject(error);
      this.#lost(connection, error);
    };
    const late = (): void =>
      connection.fail(this.#errorOf("timeout", `${url} did not respond within ${timeoutMs} ms.`, { url }));
    const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      connection.start({
        message: (value, size) => {
          const call = isJsonObject(value) && !("method" in value) ? waiting.get(value.id) : undefined;
          if (call === undefined) this.#received(connection, value, size);
          else if (waiting.delete((value as JsonObject).id)) call.resolve(value as JsonObject);
        },
        malformed: (input) => this.#receiver.malformed(input),
        ended: () => lost(undefined),
        failed: lost,
      });
      const response = await request(conversation.initializeAgain(this.#nextId()));
      const identity = identityOf(response);
      if (identity === undefined || identity.version !== conversation.version)
        throw refusedAgain(this.#errorOf, url, response);
      for (const message of conversation.reached(identity.server)) this.#receiver.message(message, 0);
      await Promise.all(
        conversation.sessionsToResume.map(async (sessionId) => {
          const resumed = await request(conversation.resume(sessionId, this.#nextId()));
          assertResumed(this.#errorOf, url, resumed);
          for (const message of conversation.resumed(sessionId, resumed)) this.#receiver.message(message, 0);
        }),
      );
      if (this.#state.is !== "restoring") return { error: undefined };
      const { restored } = this.#state;
      const since = { ...outage, restoredAt: performance.now(), isProven: false };
      this.#state = { is: "connected", connection, conversation, outage: since };
      if (this.#paused) connection.pause();
      for (const message of conversation.messagesToSend()) connection.send(message as unknown as Message);
      restored.resolve();
      this.#options.onChange({ is: "restored" });
      return "restored";
    } catch (error) {
      connection.fail(this.#brokenError(error));
      for (const message of conversation.lost()) this.#receiver.message(message, 0);
      return { error };
    } finally {
      clearTimeout(timer);
      this.#attempt = undefined;
    }
  }

  #brokenError(cause: unknown): RemoteError {
    const { url } = this.#options;
    return isRemoteError(cause)
      ? cause
      : this.#errorOf("stream_broken", `The connection to ${url} ended.`, { url, cause });
  }

  #nextId(): string {
    this.#count += 1;
    return `acp-kit/resume/${this.#count}`;
  }

  /** Waits for `ms` milliseconds. The timer keeps the process alive, because callers wait for the connection. */
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
    this.#ended.resolve();
  }
}

interface Waiting {
  readonly resolve: (response: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** Wraps an error after which further attempts are useless. */
class Hopeless extends Error {
  readonly reason: RemoteError;

  constructor(reason: RemoteError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Whether another attempt would fail in the same way. */
function isFinal(error: unknown): error is RemoteError | Hopeless {
  if (error instanceof Hopeless) return true;
  if (!isRemoteError(error)) return false;
  if (error.code === "refused") return error.status !== 408 && error.status !== 429 && (error.status ?? 0) < 500;
  return final.has(error.code);
}

const final: ReadonlySet<string> = new Set(["unauthorized", "forbidden", "aborted", "bad_response"]);

/**
 * The error for a response to `initialize` that has no ids, or another version. After an error response, a later
 * attempt may succeed.
 */
function refusedAgain(errorOf: CreateRemoteError, url: string, { error }: JsonObject): Error {
  if (error !== undefined) return errorOf("refused", `${url} refused initialize.`, { url, status: 503 });
  const message = `${url} has lost the conversation, or changed its version.`;
  return new Hopeless(errorOf("connection_lost", message, { url }));
}

/**
 * @throws {Error} if the session could not be resumed, temporarily or permanently. Does not throw for a session that no
 * longer exists.
 */
function assertResumed(errorOf: CreateRemoteError, url: string, { error }: JsonObject): void {
  if (!isJsonObject(error) || error.code === -32_002) return;
  const reason = isJsonObject(error.data) ? error.data.reason : undefined;
  if (reason === "cursor_expired" || reason === "journal_lost") {
    const message = `${url} no longer has the updates that the client missed: load the session again (${reason}).`;
    throw new Hopeless(errorOf("connection_lost", message, { url }));
  }
  throw errorOf("refused", `${url} can't resume the session now.`, { url, status: 503 });
}
