import type { Finding } from "../verdict.js";
import type { MessageKind } from "../wire/conversation.js";
import type { Json } from "../wire/values.js";

/** A message of the agent. */
export interface Incoming {
  readonly seq: number;
  /** When the message arrived, on the same clock as {@link SentRequest.sentAtMs}. */
  readonly atMs: number;
  readonly kind: MessageKind;
  readonly message: Json;
  readonly method: string | undefined;
  readonly params: unknown;
}

/** The agent's response to a request. */
export interface RecordedResponse {
  readonly seq: number;
  /** When the response arrived, on the same clock as {@link SentRequest.sentAtMs}. */
  readonly atMs: number;
  /** The entries of the request and of the response. */
  readonly where: NonNullable<Finding["where"]>;
  /** `undefined` if the response is an error. */
  readonly result: unknown;
  readonly error: Json | undefined;
}

/** A request that was sent. */
export interface SentRequest {
  readonly id: unknown;
  readonly seq: number;
  readonly method: string;
  readonly params: unknown;
  readonly sentAtMs: number;
  /**
   * The kind of the request: requests of one kind have comparable response times. It changes when the kit stops the
   * request, for example with `session/cancel`.
   */
  kind: string;
  /** The start of the response time: when the kit sent the request, or when it stopped the request. */
  sinceMs: number;
  /** Whether the kit stopped the request: then its kind is that of stopped requests. */
  isStopped: boolean;
  /** Whether `session/cancel` is among the messages that stopped the request. */
  isCancelled: boolean;
  /** Set when the response arrives; the first response counts. */
  response: RecordedResponse | undefined;
  /** The first response whose id equals this id except for the JSON type (`"1"` for `1`). */
  mistypedResponse: Incoming | undefined;
}
