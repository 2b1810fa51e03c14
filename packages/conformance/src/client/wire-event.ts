import { isObject, type Json, jsonText } from "../wire/values.js";

/** A request or notification of one side. */
export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** The problems of a line, as a dialogue shows them. */
export const lineProblems = {
  notUtf8: "it is not UTF-8",
  notJson: "it is not JSON",
  empty: "it is an empty line",
  carriageReturn: "the line ends with a carriage return",
} as const;

/** A line of the client, classified by its JSON-RPC members only. Params and results are not checked. */
export type WireEvent =
  | { readonly kind: "raw"; readonly problem: string; readonly text: string }
  | { readonly kind: "invalid message"; readonly value: unknown; readonly problem: string }
  | { readonly kind: "request"; readonly message: Json; readonly call: Call }
  | { readonly kind: "notification"; readonly message: Json; readonly call: Call }
  | { readonly kind: "response"; readonly message: Json };

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder();

/** Classifies one line. A JSON line that ends with a carriage return gives two events: the problem and the message. */
export function eventsOfLine(bytes: Uint8Array): WireEvent[] {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return [{ kind: "raw", problem: lineProblems.notUtf8, text: lossy.decode(bytes) }];
  }
  if (text.trim() === "") return [{ kind: "raw", problem: lineProblems.empty, text }];
  const odd: WireEvent[] = text.endsWith("\r") ? [{ kind: "raw", problem: lineProblems.carriageReturn, text }] : [];
  try {
    return [...odd, eventOfValue(JSON.parse(text))];
  } catch {
    return [{ kind: "raw", problem: lineProblems.notJson, text }];
  }
}

/** Classifies one JSON value. */
export function eventOfValue(value: unknown): WireEvent {
  if (!isObject(value)) {
    return { kind: "invalid message", value, problem: Array.isArray(value) ? "a batch" : "not a JSON object" };
  }
  if (value.jsonrpc !== "2.0")
    return { kind: "invalid message", value, problem: 'an object without `"jsonrpc":"2.0"`' };
  if (typeof value.method === "string") {
    if ("result" in value || "error" in value) {
      return { kind: "invalid message", value, problem: "a request and a response in one object" };
    }
    const call: Call = { id: value.id, method: value.method, params: value.params };
    return { kind: "id" in value ? "request" : "notification", message: value, call };
  }
  if ("method" in value) return { kind: "invalid message", value, problem: "a message whose `method` is not a string" };
  if ("id" in value) return { kind: "response", message: value };
  return { kind: "invalid message", value, problem: "neither a request, a notification nor a response" };
}

/** Returns an id as a map key. The ids `1` and `"1"` have different keys. */
export const keyOf = (id: unknown): string => jsonText(id);

/** Returns the request or notification of an event. */
export const callOf = (event: WireEvent): Call | undefined =>
  event.kind === "request" || event.kind === "notification" ? event.call : undefined;
