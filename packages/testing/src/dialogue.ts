import { jsonText } from "./json-text.js";
import { kindOf, otherSide, type Seen, type WireMessage } from "./wire-message.js";

/**
 * Formats the messages that a scripted peer has sent and received, one line each:
 *
 * ```text
 * client → initialize client-1 {"protocolVersion":1}
 * agent  ← result of initialize client-1 {"protocolVersion":1,…}
 * ```
 *
 * An arrow to the right means a request or notification, an arrow to the left means a response. Long values are cut.
 */
export function dialogue(seen: readonly Seen[], { width = 100 }: { readonly width?: number } = {}): string {
  return seen.map((entry) => lineOf(entry, seen, width)).join("\n");
}

function lineOf({ from, message, text }: Seen, seen: readonly Seen[], width: number): string {
  const who = from.padEnd(6);
  if (message === undefined || text !== undefined) return `${who} ~ ${cut(JSON.stringify(text ?? ""), width)}`;
  const { id, method, params, result, error } = message;
  switch (kindOf(message)) {
    case "request":
      return `${who} → ${method} ${jsonText(id)} ${shown(params, width)}`.trimEnd();
    case "notification":
      return `${who} → ${method} ${shown(params, width)}`.trimEnd();
    case "response": {
      const asked = requestOf(message, from, seen)?.method ?? "no open request,";
      const value = error === undefined ? shown(result, width) : shown(error, width);
      return `${who} ← ${error === undefined ? "result of" : "error for"} ${asked} ${jsonText(id)} ${value}`;
    }
    default:
      return `${who} ~ ${shown(message, width)}`;
  }
}

/** Returns the request to which a response of `from` belongs. */
export function requestOf(response: WireMessage, from: Seen["from"], seen: readonly Seen[]): WireMessage | undefined {
  const asker = otherSide(from);
  return seen.find(
    ({ from, message }) =>
      from === asker && message !== undefined && kindOf(message) === "request" && message.id === response.id,
  )?.message;
}

function shown(value: unknown, width: number): string {
  return value === undefined ? "" : cut(jsonText(value), width);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
