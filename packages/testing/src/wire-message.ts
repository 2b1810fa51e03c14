import type { RequestId } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { jsonText } from "./json-text.js";

/** The two roles of the protocol. */
export type Side = "agent" | "client";

/** Returns the other role. */
export function otherSide(side: Side): Side {
  return side === "agent" ? "client" : "agent";
}

/** A JSON value that looks like a message, as it was sent. The value was not validated. */
export interface WireMessage {
  readonly jsonrpc?: unknown;
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** A request as received. `params` has the schema's type but was not validated, so it can contain any value. */
export interface WireRequest<Params = unknown> {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A notification as received; see {@link WireRequest}. */
export interface WireNotification<Params = unknown> {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params: Params;
}

/** A response as received: `result`, or `error`, or anything that a broken peer sends. */
export interface WireResponse<Result = unknown> {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result?: Result;
  readonly error?: ErrorObject;
}

/** One message or text that a scripted peer has seen on its wire. */
export interface Seen {
  /** The index of this element: 0, 1, 2, … over both directions. */
  readonly index: number;
  readonly from: Side;
  /** The time in milliseconds at which the peer sent or received it, by the clock of the script. */
  readonly time: number;
  /** The JSON value; `undefined` if the line was not JSON. */
  readonly message: WireMessage | undefined;
  /** The text, if the line was not JSON or the script wrote it as text. */
  readonly text?: string;
}

/** Returns a text that is equal for equal ids. A broken peer may use any JSON value as an id. */
export function idKey(id: unknown): string {
  return jsonText(id);
}

export type MessageKind = "request" | "notification" | "response";

/** The kind of message that a value looks like, by its members; `undefined` for other values. */
export function kindOf(value: unknown): MessageKind | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { id, method } = value as WireMessage;
  if (typeof method === "string") return id === undefined ? "notification" : "request";
  return "result" in value || "error" in value ? "response" : undefined;
}
