import type { Message } from "./message.js";

/**
 * Carries messages to and from one peer. It is the whole contract between a connection and the component that moves its
 * messages: a child process, two web streams, a socket, another connection in the same process.
 *
 * Messages are delivered in the order in which the peer sent them, and leave in the order of the `send` calls. A transport is
 * used by one connection, once.
 */
export interface Transport {
  /** Starts delivery to `receiver`. Called once; nothing is delivered before. */
  start(receiver: TransportReceiver): void;

  /**
   * Queues a message for sending and returns its size in bytes, or 0 for a message without a size. It is written later,
   * together with other messages of the same tick. After the end it does nothing.
   *
   * @throws {TypeError} when the message can't be serialised; nothing is queued then.
   */
  send(message: Message): number;

  /**
   * `undefined` while there is room. Otherwise a promise that resolves when there is room again, or when the transport ends; it
   * never rejects. `send` queues messages regardless: the sender is responsible for waiting.
   */
  readonly full: Promise<void> | undefined;

  /** Pauses reading, so that further input waits in the pipe. A few messages may still be delivered. */
  pause(): void;

  /** Resumes reading after {@link pause}. */
  resume(): void;

  /** Closes both directions after the queued messages are flushed. Idempotent; never rejects. */
  close(): Promise<void>;
}

/** What a transport reports to the connection that reads from it. None of these may throw. */
export interface TransportReceiver {
  /** Delivers one complete JSON value of any kind: the connection validates the envelope. `size` in bytes, or 0. */
  message(value: unknown, size: number): void;

  /** Reports input that is not a message. It was skipped, and reading continues. */
  malformed(input: MalformedInput): void;

  /** The peer will send nothing more; queued messages may still leave. Called at most once. */
  ended(): void;

  /**
   * The transport failed, in either direction: nothing is delivered or sent any more. Called at most once, and last. `error`
   * becomes the `cause` of every pending request.
   */
  failed(error: unknown): void;
}

/** A piece of input that could not become a message. */
export interface MalformedInput {
  /** `not_json`: not JSON. `too_large`: over a limit of the transport, in bytes, depth or nodes. `invalid_header`: broken framing. */
  readonly kind: "not_json" | "too_large" | "invalid_header";
  /** One sentence that says what is wrong. */
  readonly message: string;
  /** The prefix of the input, for a diagnostic; never the whole of it. */
  readonly excerpt: string;
  /** Size in bytes, as far as the input was read. */
  readonly size: number;
}
