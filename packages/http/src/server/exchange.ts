import type { Holding } from "@acp-kit/jsonrpc/internal";
import type { EventReader } from "./event-stream.js";

/** An HTTP request of any platform. */
export interface HttpExchange {
  readonly method: string;
  /** The value of a header, or `null`. `name` is in lower case. */
  header(name: string): string | null;
  /**
   * Reads the body as text. Called at most once.
   *
   * @throws {Refusal} 413 for more than `maxBytes`, 408 after `timeoutMs`, 429 when `holding` gets no more bytes, 400
   * when the connection ends before the end of the body.
   */
  readBody(limits: BodyLimits): Promise<BodyText>;
  /** Calls `listener` if the client disconnects before the response begins. Returns a function that removes it. */
  onGone(listener: () => void): () => void;
  /** Returns the request without its body, for `authenticate`. */
  toRequest(): Request;
}

/** The limits for reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Holds the bytes that have arrived. The caller releases them when it has handled the body. */
  readonly holding: Holding;
}

/** A body and its size in bytes. */
export interface BodyText {
  readonly text: string;
  readonly size: number;
}

/** An HTTP response for any platform. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text, an event stream, or no body. */
  readonly body: string | EventReader | undefined;
}
