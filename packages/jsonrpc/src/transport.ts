import type { Message } from "./message.js";

/**
 * Carries messages to and from one peer. This is the whole contract between a connection and whatever moves its
 * messages: bytes of a child process, two web streams, a socket, another connection in the same process.
 *
 * Messages are delivered in the order in which the peer sent them, and leave in the order of the `send` calls.
 * A transport is used by one connection, once.
 */
export interface Transport {
  /** Begins delivery to `receiver`. Called once; nothing is delivered before. */
  start(receiver: TransportReceiver): void;

  /**
   * Accepts a message for sending and returns its size in bytes, or 0 where a message has no size.
   * Writing happens later, together with whatever else is accepted in the same tick. After the end it does nothing.
   *
   * @throws {TypeError} when the message can't be serialised; then nothing was accepted.
   */
  send(message: Message): number;

  /**
   * `undefined` while there is room. Otherwise a promise that resolves when there is room again, or when the
   * transport ends; it never rejects. `send` accepts messages regardless: heeding this is the sender's part.
   */
  readonly full: Promise<void> | undefined;

  /** Asks that reading stop, so that what the peer sends waits in the pipe. A few messages may still be delivered. */
  pause(): void;

  /** Takes a {@link pause} back. */
  resume(): void;

  /** Ends in order: what was accepted is written, then both directions end. Idempotent; never rejects. */
  close(): Promise<void>;
}

/** What a transport tells the connection that reads from it. None of these may throw. */
export interface TransportReceiver {
  /** One complete JSON value, whatever it is: judging the envelope is the connection's part. `size` in bytes, or 0. */
  message(value: unknown, size: number): void;

  /** Input that is not a message. It was skipped and reading goes on. */
  malformed(input: MalformedInput): void;

  /** The peer will send nothing more; what is accepted for sending may still leave. At most once. */
  ended(): void;

  /**
   * The transport broke, in either direction: nothing is delivered or sent any more. At most once, and last.
   * `error` becomes the `cause` of every pending request.
   */
  failed(error: unknown): void;
}

/** A piece of input that could not become a message. */
export interface MalformedInput {
  /** `not_json`: not parseable. `too_large`: over a limit of the transport, in bytes, depth or nodes. `invalid_header`: broken framing. */
  readonly kind: "not_json" | "too_large" | "invalid_header";
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** The first characters of the input, for a diagnostic; never the whole of it. */
  readonly excerpt: string;
  /** Size in bytes, as far as it was read. */
  readonly size: number;
}
