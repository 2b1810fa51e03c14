import type { Message } from "./message.js";

/**
 * Carries messages between a connection and one peer. It is the only interface between a connection and the code that
 * moves its messages, for example to a child process, over a socket, or to another connection in the same process.
 *
 * A transport delivers messages in the order in which the peer sent them, and sends messages in the order of the `send`
 * calls. A transport can be used only once, by one connection.
 */
export interface Transport {
  /**
   * Starts to deliver messages to `receiver`. The connection calls it once. Before that call, the transport delivers
   * nothing. If the transport has already failed or was closed, it calls `failed` of the receiver in a microtask.
   */
  start(receiver: TransportReceiver): void;

  /**
   * Queues a message for sending and returns its size in bytes, or 0 for a message without a size. The transport writes
   * the message later, together with other messages of the same tick. After the transport has ended, `send` does
   * nothing.
   *
   * @param text the JSON text of `message` on one line, if the sender has it already. A transport may send this text
   * and not serialize the message, or ignore the text. If `text` is passed, `message.params` may be a getter that
   * parses it, so read only the members that you need.
   * @throws {TypeError} when the message can't be serialized; nothing is queued then.
   */
  send(message: Message, text?: string): number;

  /**
   * `undefined` while the transport has room for messages. Otherwise it is a promise that resolves when there is room
   * again or the transport ends; the promise never rejects. `send` accepts messages even without room, so the sender
   * itself has to wait for this promise.
   */
  readonly full: Promise<void> | undefined;

  /** The program on this machine whose process is the peer, if there is one. */
  readonly command?: string | undefined;

  /** Pauses reading: further input waits in the pipe. A few messages can still be delivered. */
  pause(): void;

  /** Resumes reading after {@link pause}. */
  resume(): void;

  /** Closes both directions after flushing queued messages. A second call has no effect; it never rejects. */
  close(): Promise<void>;
}

/** The functions that a transport calls on its connection. None of these functions throws. */
export interface TransportReceiver {
  /** Delivers a JSON value, which the connection checks. `size` is in bytes, or 0 for a value without one. */
  message(value: unknown, size: number): void;

  /**
   * Offers the JSON text of a message, on one line, before it is parsed. Returns `true` if the receiver takes it;
   * otherwise the transport parses it and calls {@link message}. Receivers that forward messages have this method.
   *
   * @param message what the text contains, if it was read on its way; see {@link Transport.send}.
   */
  text?(text: string, size: number, message?: Message): boolean;

  /** Reports input that is not a message. The transport has skipped the input and continues to read. */
  malformed(input: MalformedInput): void;

  /** The peer sends nothing more. The transport can still send messages. Called at most once. */
  ended(): void;

  /**
   * Reports that the transport has failed in one of the directions. After this call, it delivers and sends nothing. A
   * transport calls it at most once, after all other calls. `error` becomes the `cause` of the errors of all pending
   * requests.
   */
  failed(error: unknown): void;
}

/** A piece of input that is not a message. */
export interface MalformedInput {
  /**
   * The kind of malformed input. `not_json`: the input is not JSON. `too_large`: the input exceeds a limit of the
   * transport, in bytes, depth or nodes. `unserializable`: the input is a value that JSON can't represent, such as a
   * typed array that a worker posts. `invalid_header`: the framing of the input is broken.
   */
  readonly kind: "not_json" | "too_large" | "unserializable" | "invalid_header";
  /** A sentence that says what is wrong with the input. */
  readonly message: string;
  /** The beginning of the input, for a diagnostic. */
  readonly excerpt: string;
  /** The size of the input in bytes, as far as it was read. */
  readonly size: number;
}

/** Creates the error that a transport reports if it was closed before a connection started it. */
export function closedBeforeStart(): Error {
  return new Error("The transport was closed before it was connected");
}
