import type { Message, MessageLimits, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import {
  checkOptions,
  checkPostedMessage,
  type Deferred,
  deferred,
  limitsAmong,
  messageLimitDefaults,
  type OptionKinds,
  Queue,
} from "@acp-kit/jsonrpc/internal";
import { RemoteError } from "./remote-error.js";

/**
 * The part of a `MessagePort` that the transport uses. A worker has these members, and a port of a `MessageChannel`,
 * for example to an iframe or an extension.
 */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  addEventListener(type: "message" | "messageerror" | "close", listener: (event: any) => void): void;
  // biome-ignore lint/suspicious/noExplicitAny: each platform has event types of its own
  removeEventListener(type: "message" | "messageerror" | "close", listener: (event: any) => void): void;
  /** Starts delivery of messages; a worker has no such method. */
  start?(): void;
  close?(): void;
}

/** Options of {@link messagePortTransport}. */
export interface MessagePortOptions extends MessageLimits {
  /**
   * The number of sent messages that the peer has not read at which the transport's `full` becomes a promise. The
   * sender should wait for this promise. If the peer does not acknowledge messages, this option has no effect. The
   * default is 1,024; a smaller number than 32 counts as 32, because a peer acknowledges only every 16th message.
   */
  readonly highWaterMarkMessages?: number;
  /**
   * The maximum number of messages that are buffered if the peer continues to send while reading is paused. A further
   * message ends the transport with the {@link RemoteError} `overflow`. The default is 65,536.
   */
  readonly maxUnreadMessages?: number;
}

const messagePortDefaults: Required<MessagePortOptions> = {
  ...messageLimitDefaults,
  highWaterMarkMessages: 1_024,
  maxUnreadMessages: 65_536,
};

/**
 * Creates a transport over a `MessagePort` or a `Worker`: between a page and a worker, an iframe or an extension.
 *
 * Each message is posted as an object. A posted number is an acknowledgement: the peer that posts it has read this many
 * messages in total. A posted `null` means that the peer has closed the transport. A peer that does not support these
 * two values works without back-pressure, as long as no more than `maxUnreadMessages` messages are buffered. Pass one
 * end of a `MessageChannel`; `window.postMessage` is not a port.
 *
 * @throws {TypeError} if a limit is not a number, is `NaN`, or is less than 0.
 */
export function messagePortTransport(port: MessagePortLike, options: MessagePortOptions = {}): Transport {
  checkOptions("messagePortTransport", options, optionKinds);
  return new MessagePortTransport(port, options);
}

const optionKinds: OptionKinds<MessagePortOptions> = {
  highWaterMarkMessages: "value",
  maxUnreadMessages: "value",
  maxMessageDepth: "value",
  maxMessageNodes: "value",
};

class MessagePortTransport implements Transport {
  readonly #port: MessagePortLike;
  readonly #options: Required<MessagePortOptions>;
  #receiver: TransportReceiver | undefined;
  #paused = false;
  readonly #unread: Queue<Pick<MessageEvent, "data">> = new Queue();
  #isOver = false;
  #sent = 0;
  #acknowledged = 0;
  #peerAcknowledges = false;
  #read = 0;
  #room: Deferred<void> | undefined;

  constructor(port: MessagePortLike, options: MessagePortOptions) {
    this.#port = port;
    const all = limitsAmong("options", messagePortDefaults, options);
    this.#options = { ...all, highWaterMarkMessages: Math.max(all.highWaterMarkMessages, 2 * ACKNOWLEDGE_EVERY) };
  }

  get full(): Promise<void> | undefined {
    if (
      !this.#peerAcknowledges ||
      this.#isOver ||
      this.#sent - this.#acknowledged < this.#options.highWaterMarkMessages
    )
      return undefined;
    this.#room ??= deferred();
    return this.#room.promise;
  }

  start(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    this.#port.addEventListener("message", this.#onMessage);
    this.#port.addEventListener("messageerror", this.#onMessageError);
    this.#port.addEventListener("close", this.#onClose);
    this.#port.start?.();
    this.#port.postMessage(0); // shows the peer that this side acknowledges messages
  }

  send(message: Message, text?: string): number {
    if (this.#isOver) return 0;
    let copy: unknown;
    try {
      // Removes values that JSON can't represent, although a port could send them.
      copy = JSON.parse(text ?? JSON.stringify(message));
    } catch (cause) {
      throw new TypeError(`The message can't be serialized: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      });
    }
    this.#sent += 1;
    this.#port.postMessage(copy);
    return 0;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused) {
      const next = this.#unread.take();
      if (next === undefined) return;
      this.#deliver(next.data);
    }
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#port.postMessage(null);
    this.#finish();
  }

  readonly #onMessage = ({ data }: { data: unknown }): void => {
    if (this.#isOver) return;
    if (typeof data === "number") {
      this.#acknowledge(data);
    } else if (this.#paused) {
      this.#keep(data);
    } else {
      this.#deliver(data);
    }
  };

  readonly #onMessageError = (): void => {
    const message = "A message could not be read and was skipped.";
    this.#receiver?.malformed({ kind: "not_json", message, excerpt: "", size: 0 });
  };

  readonly #onClose = (): void => {
    if (this.#isOver) return;
    if (this.#paused) this.#unread.push({ data: null });
    else this.#deliver(null);
  };

  #keep(data: unknown): void {
    const { maxUnreadMessages } = this.#options;
    this.#unread.push({ data });
    if (this.#unread.length <= maxUnreadMessages) return;
    const message = `More than ${maxUnreadMessages} messages arrived that were not read (maxUnreadMessages).`;
    this.#port.postMessage(null);
    this.#finish();
    this.#receiver?.failed(new RemoteError("overflow", message, { url: "" }));
  }

  #acknowledge(count: number): void {
    if (Number.isNaN(count)) return;
    this.#peerAcknowledges = true;
    this.#acknowledged = Math.max(this.#acknowledged, Math.min(count, this.#sent));
    if (this.#sent - this.#acknowledged >= this.#options.highWaterMarkMessages / 2) return;
    this.#room?.resolve();
    this.#room = undefined;
  }

  #deliver(data: unknown): void {
    if (this.#isOver) return;
    if (data === null) {
      this.#finish();
      this.#receiver?.ended();
      return;
    }
    this.#read += 1;
    if (this.#read % ACKNOWLEDGE_EVERY === 0) this.#port.postMessage(this.#read);
    const malformed = checkPostedMessage(data, this.#options);
    if (malformed === undefined) this.#receiver?.message(data, 0);
    else this.#receiver?.malformed(malformed);
  }

  #finish(): void {
    this.#isOver = true;
    this.#unread.clear();
    this.#port.removeEventListener("message", this.#onMessage);
    this.#port.removeEventListener("messageerror", this.#onMessageError);
    this.#port.removeEventListener("close", this.#onClose);
    this.#port.close?.();
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/**
 * The number of read messages after which the transport acknowledges them. When the peer has read everything, up to 15
 * messages are therefore not acknowledged. A sender must not wait for their acknowledgement, so `highWaterMarkMessages`
 * is at least twice this number.
 */
const ACKNOWLEDGE_EVERY = 16;
