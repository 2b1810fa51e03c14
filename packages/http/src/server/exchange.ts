import type { EventReader } from "./event-stream.js";

/** An HTTP request, whichever platform received it. */
export interface HttpExchange {
  readonly method: string;
  /** `null` without such a header. `name` in lower case. */
  header(name: string): string | null;
  /**
   * The body as text. Called at most once.
   *
   * @throws {Refusal} 413 when it is longer than `maxBytes`, 408 when it takes longer than `timeoutMs`, 400 when it breaks off.
   */
  readBody(limits: BodyLimits): Promise<BodyText>;
  /** Calls `listener` when the client breaks off before its response begins, unless the returned function is called first. */
  onGone(listener: () => void): () => void;
  /** The request without its body, for `authenticate`. */
  toRequest(): Request;
}

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A body and its size in bytes. */
export interface BodyText {
  readonly text: string;
  readonly size: number;
}

/** An HTTP response, whichever platform sends it. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, a stream of events, or nothing. */
  readonly body: string | EventReader | undefined;
}
