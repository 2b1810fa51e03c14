import type { Message, MessageLimits, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { after, type Budget, type Deferred, deferred, Holding, Queue } from "@acp-kit/jsonrpc/internal";
import { excerptOf, parseMessageText, utf8Length } from "./message-text.js";
import { textOfMessage } from "./text-of-message.js";
import type { TextSocket } from "./text-socket.js";

/** The close codes that this package uses. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  policy: 1008,
  tooLarge: 1009,
  internal: 1011,
  tryAgainLater: 1013,
} as const;

/** The options of a {@link WebSocketTransport}. */
export interface WebSocketTransportOptions {
  readonly limits: Required<MessageLimits> & {
    readonly maxUnsentBytes: number;
    /** The maximum number of queued bytes in each direction. With more, the transport ends the connection. */
    readonly maxQueuedBytes: number;
    readonly closeTimeoutMs: number;
    /**
     * The maximum size of a received message, which is otherwise skipped and reported. A server's socket ends the
     * connection instead, so it sets no limit here.
     */
    readonly maxReceivedBytes?: number;
    /** How long a client waits for the response to its first message, `initialize`. */
    readonly initializeTimeoutMs?: number;
  };
  /** The budgets of a server for messages that arrive, and for those that the client has not read. */
  readonly memory?: { readonly received: Budget; readonly queued: Budget };
  /** Creates the error of a connection that broke. */
  readonly errorOf: (what: "closed" | "tooLarge" | "overflow" | "silent", detail: string, cause: unknown) => unknown;
}

/**
 * - `opening`: messages are queued until the socket is open.
 * - `open`: messages are sent and delivered.
 * - `closing`: this side has closed.
 * - `ended`: the socket is closed.
 */
type SocketState =
  | { readonly is: "opening" }
  | { readonly is: "open" | "closing"; readonly socket: TextSocket }
  | { readonly is: "ended" };

/** The interval in milliseconds at which a full socket is checked for room. */
const ROOM_CHECK_MS = 5;

/** The number of queued bytes of a socket that are not counted against the budget of a server. */
const UNCOUNTED_BYTES = 65_536;

/** The bytes that an unread message needs beside its text, so that empty messages count. */
const UNREAD_BYTES = 64;

/** A transport over a WebSocket. Each text frame contains one JSON-RPC message. Binary frames are ignored. */
export class WebSocketTransport implements Transport {
  readonly #options: WebSocketTransportOptions;
  readonly #ended = deferred();
  #state: SocketState = { is: "opening" };
  #receiver: TransportReceiver | undefined;
  #unsent: string[] = [];
  #unsentBytes = 0;
  /** Messages that arrived while reading was paused, on a platform that can't pause a socket. */
  readonly #unread: Queue<{ readonly text: string; readonly size: number }> = new Queue();
  #unreadSize = 0;
  #paused = false;
  #room: Deferred<void> | undefined;
  #fullSince = 0;
  #early: { readonly error: unknown } | "ended" | undefined;
  #closing: Promise<void> | undefined;
  #lastSign: number = performance.now();
  #lastPing: number = performance.now();
  #keepsAlive = false;
  readonly #arriving: Holding | undefined;
  readonly #queued: Holding | undefined;
  /** Whether the first message was sent; then the function that ends the wait for its response. */
  #initializing: "unsent" | (() => void) = "unsent";

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    const { memory } = options;
    this.#arriving = memory && new Holding(memory.received);
    this.#queued = memory && new Holding(memory.queued);
  }

  /** Resolves when the socket is closed. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get full(): Promise<void> | undefined {
    if (this.#room !== undefined) return this.#room.promise;
    if (this.#waiting <= this.#options.limits.maxUnsentBytes) return undefined;
    const room = deferred();
    this.#room = room;
    this.#fullSince = performance.now();
    if (this.#state.is === "open") this.#waitForRoom(this.#state.socket, room);
    return room.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    const early = this.#early;
    if (early === undefined) {
      this.#deliverUnread();
    } else {
      queueMicrotask(() => {
        this.#deliverUnread(true);
        if (early === "ended") receiver.ended();
        else receiver.failed(early.error);
      });
    }
  }

  send(message: Message, known?: string): number {
    const text = known ?? textOfMessage(message);
    if (this.#initializing === "unsent") this.#initializing = this.#waitForResponse();
    if (this.#state.is === "open") this.#state.socket.send(text);
    else if (this.#state.is === "opening") {
      this.#unsent.push(text);
      this.#unsentBytes += utf8Length(text);
    }
    this.#checkQueue();
    return text.length;
  }

  pause(): void {
    this.#paused = true;
    if (this.#state.is === "open") this.#state.socket.pause?.();
  }

  resume(): void {
    this.#paused = false;
    this.#deliverUnread();
    if (this.#state.is === "open" && !this.#paused) this.#state.socket.resume?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close(closeCodes.normal, "");
    return this.#closing;
  }

  /** Closes the socket with a code other than 1000. A reason that does not fit into a close frame is shortened. */
  closeWith(code: number, reason: string): Promise<void> {
    this.#closing ??= this.#close(code, closeReason(reason));
    return this.#closing;
  }

  /** Uses the open socket, and sends the queued messages. */
  attach(socket: TextSocket): void {
    if (this.#state.is !== "opening") {
      socket.close(closeCodes.normal, "");
      return;
    }
    this.#state = { is: "open", socket };
    this.#lastSign = performance.now();
    socket.listen({
      text: (text, size) => this.#text(text, size),
      partial: (bytes) => this.#partial(bytes),
      alive: (keepsAlive) => {
        this.#lastSign = performance.now();
        this.#keepsAlive ||= keepsAlive;
      },
      closed: (code, reason, error) => this.#closed(code, reason, error),
    });
    if (this.#paused) socket.pause?.();
    for (const text of this.#unsent.splice(0)) socket.send(text);
    this.#unsentBytes = 0;
    if (this.#room !== undefined) this.#waitForRoom(socket, this.#room);
    this.#checkQueue();
  }

  /** Ends the transport, because its socket can't be opened. Has no effect after the socket has opened. */
  abandon(): void {
    if (this.#state.is === "opening") void this.close();
  }

  /** Breaks the connection. The receiver gets the error. */
  fail(error: unknown, code: number = closeCodes.internal): void {
    if (this.#state.is === "ended") return;
    const { is } = this.#state;
    if (this.#state.is === "open")
      this.#state.socket.close(code, error instanceof Error ? closeReason(error.message) : "");
    if (this.#state.is !== "opening") this.#state.socket.terminate();
    this.#finish();
    if (is === "closing") return;
    if (this.#receiver === undefined) this.#early = { error };
    else this.#receiver.failed(error);
  }

  /** Sends keep-alives, and ends a socket whose peer is silent or does not read. Called about once a second. */
  sweep({
    keepAliveMs,
    pongTimeoutMs,
    stallTimeoutMs,
  }: Readonly<Record<"keepAliveMs" | "pongTimeoutMs" | "stallTimeoutMs", number>>): void {
    if (this.#state.is !== "open") return;
    const { socket } = this.#state;
    this.#countQueued(this.#waiting); // the socket does not report what it has written
    const now = performance.now();
    if (this.#room !== undefined && now - this.#fullSince >= stallTimeoutMs) {
      this.#overflow(`The peer has read nothing for ${stallTimeoutMs} ms (stallTimeoutMs).`);
    } else if (socket.ping !== undefined && !this.#paused && now - this.#lastSign >= keepAliveMs + pongTimeoutMs) {
      this.#silent(keepAliveMs + pongTimeoutMs);
    } else if (now - this.#lastPing >= keepAliveMs) {
      this.#lastPing = now;
      socket.ping?.();
      socket.sendKeepAlive();
    }
  }

  /** Ends a socket whose peer sends no more keep-alives. For clients: a browser can't send pings. */
  checkSilence(timeoutMs: number): void {
    if (this.#state.is !== "open" || !this.#keepsAlive || this.#paused) return;
    if (performance.now() - this.#lastSign < timeoutMs) return;
    this.#silent(timeoutMs);
  }

  #waitForResponse(): () => void {
    const { initializeTimeoutMs: ms = Number.POSITIVE_INFINITY } = this.#options.limits;
    const detail = `The agent did not respond to initialize within ${ms} ms (initializeTimeoutMs).`;
    return after(ms, () => this.fail(this.#options.errorOf("silent", detail, undefined)));
  }

  #overflow(detail: string): void {
    this.fail(this.#options.errorOf("overflow", detail, undefined), closeCodes.policy);
  }

  #silent(ms: number): void {
    this.fail(this.#options.errorOf("silent", `The peer was silent for ${ms} ms.`, undefined));
  }

  get #waiting(): number {
    if (this.#state.is === "open") return this.#state.socket.bufferedAmount;
    return this.#state.is === "opening" ? this.#unsentBytes : 0;
  }

  #checkQueue(): void {
    const { limits, memory } = this.#options;
    const waiting = this.#waiting;
    this.#countQueued(waiting);
    if (waiting > limits.maxQueuedBytes)
      this.#overflow(`More than ${limits.maxQueuedBytes} bytes wait for a peer that does not read (maxQueuedBytes).`);
    else if (waiting > limits.maxUnsentBytes && memory?.queued.isOver)
      this.#overflow("Too many bytes wait for clients that do not read them (maxQueuedBytes), also for this one.");
  }

  /** Counts queued bytes, unless they are few: most sockets have none a moment later. */
  #countQueued(waiting: number): void {
    this.#queued?.count(waiting > UNCOUNTED_BYTES ? waiting : 0);
  }

  #partial(bytes: number): void {
    if (this.#arriving === undefined || this.#arriving.set(bytes)) return;
    const detail = "Too many bytes of this caller's messages are arriving (maxQueuedBytes): send it again later.";
    this.fail(this.#options.errorOf("overflow", detail, undefined), closeCodes.tryAgainLater);
  }

  #waitForRoom(socket: TextSocket, room: Deferred<void>): void {
    let before = socket.bufferedAmount;
    const look = (): void => {
      if (this.#room !== room) return;
      const { bufferedAmount } = socket;
      this.#countQueued(bufferedAmount);
      if (bufferedAmount <= this.#options.limits.maxUnsentBytes / 2) {
        this.#room = undefined;
        stopListening?.();
        room.resolve();
      } else if (bufferedAmount < before) this.#fullSince = performance.now();
      before = bufferedAmount;
    };
    const check = (): void => {
      look();
      if (this.#room === room) after(ROOM_CHECK_MS, check);
    };
    const stopListening = socket.onDrain?.(look);
    after(ROOM_CHECK_MS, check);
  }

  #text(text: string, size: number): void {
    this.#lastSign = performance.now();
    if (this.#initializing !== "unsent") this.#initializing();
    if (this.#state.is !== "open") return;
    if (this.#receiver !== undefined && !this.#paused && this.#unread.length === 0) {
      this.#deliver(text, size);
      return;
    }
    this.#unread.push({ text, size });
    this.#unreadSize += size + UNREAD_BYTES;
    const { maxQueuedBytes } = this.#options.limits;
    if (this.#unreadSize <= maxQueuedBytes) return;
    this.#overflow(
      `More than ${maxQueuedBytes} received bytes wait for a receiver that does not read them (limit: maxQueuedBytes).`,
    );
  }

  #deliver(text: string, size: number): void {
    const { maxReceivedBytes = Number.POSITIVE_INFINITY } = this.#options.limits;
    if (size > maxReceivedBytes) {
      const message = `A message is larger than ${maxReceivedBytes} bytes (maxMessageBytes) and was skipped.`;
      this.#receiver?.malformed({ kind: "too_large", message, excerpt: excerptOf(text), size });
      return;
    }
    const parsed = parseMessageText(text, size, this.#options.limits);
    if ("malformed" in parsed) this.#receiver?.malformed(parsed.malformed);
    else this.#receiver?.message(parsed.value, size);
  }

  /**
   * Delivers the unread messages. If they are the last ones, delivers all of them: the receiver may pause after each,
   * but its end must not overtake a message.
   */
  #deliverUnread(areLast = false): void {
    while ((areLast || !this.#paused) && this.#receiver !== undefined) {
      const next = this.#unread.take();
      if (next === undefined) return;
      this.#unreadSize -= next.size + UNREAD_BYTES;
      this.#deliver(next.text, next.size);
    }
  }

  #closed(code: number, reason: string, cause: unknown): void {
    if (this.#state.is === "ended") return;
    const { is } = this.#state;
    this.#finish();
    if (is !== "open") return;
    const isOrderly =
      code === closeCodes.normal || code === closeCodes.goingAway || (code === 1005 && cause === undefined);
    const isTooLarge = code === closeCodes.tooLarge;
    const why = reason === "" && isTooLarge ? "a message is too large for the peer." : reason;
    const detail = `The WebSocket was closed with ${code}${why === "" ? "." : `: ${why}`}`;
    const error = isOrderly ? undefined : this.#options.errorOf(isTooLarge ? "tooLarge" : "closed", detail, cause);
    if (this.#receiver === undefined) {
      this.#early = isOrderly ? "ended" : { error };
      return;
    }
    this.#deliverUnread(true);
    if (isOrderly) this.#receiver.ended();
    else this.#receiver.failed(error);
  }

  async #close(code: number, reason: string): Promise<void> {
    if (this.#state.is === "opening") this.#finish();
    if (this.#state.is !== "open") return;
    const { socket } = this.#state;
    this.#state = { is: "closing", socket };
    socket.resume?.(); // later messages are dropped; the peer's close frame must arrive
    socket.close(code, reason);
    const stop = after(this.#options.limits.closeTimeoutMs, () => {
      socket.terminate();
      this.#finish();
    });
    await this.#ended.promise;
    stop();
  }

  #finish(): void {
    this.#state = { is: "ended" };
    if (this.#initializing !== "unsent") this.#initializing();
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#arriving?.release();
    this.#queued?.release();
    this.#room?.resolve();
    this.#room = undefined;
    this.#ended.resolve();
  }
}

/** The maximum length of the reason in a close frame, in bytes. With a longer reason, `close()` of a socket throws. */
const MAX_REASON_BYTES = 123;

/** Returns the longest prefix of a text that fits into a close frame. */
function closeReason(text: string): string {
  let reason = "";
  let size = 0;
  for (const character of text) {
    size += utf8Length(character);
    if (size > MAX_REASON_BYTES) break;
    reason += character;
  }
  return reason;
}
