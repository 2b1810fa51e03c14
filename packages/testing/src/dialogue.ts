import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { jsonText } from "./json-text.js";
import { idKey, kindOf, otherSide, type Seen, type WireMessage } from "./wire-message.js";

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
export function dialogue(seen: readonly Seen[], options: { readonly width?: number } = {}): string {
  checkOptions("dialogue", options, optionKinds);
  const { width = 100 } = options;
  const requests = requestsOf(seen);
  return seen.map((entry) => lineOf(entry, requests.get(entry), width)).join("\n");
}

const optionKinds: OptionKinds<{ readonly width?: number }> = { width: "value" };

function lineOf({ from, message, text }: Seen, request: WireMessage | undefined, width: number): string {
  const who = from.padEnd(6);
  if (message === undefined || text !== undefined) return `${who} ~ ${cut(JSON.stringify(text ?? ""), width)}`;
  const { id, method, params, result, error } = message;
  switch (kindOf(message)) {
    case "request":
      return `${who} → ${method} ${jsonText(id)} ${shown(params, width)}`.trimEnd();
    case "notification":
      return `${who} → ${method} ${shown(params, width)}`.trimEnd();
    case "response": {
      const asked = request?.method ?? "no open request,";
      const value = error === undefined ? shown(result, width) : shown(error, width);
      return `${who} ← ${error === undefined ? "result of" : "error for"} ${asked} ${jsonText(id)} ${value}`;
    }
    default:
      return `${who} ~ ${shown(message, width)}`;
  }
}

/**
 * Returns the request of each response. Peers may use an id again after its response, so a response belongs to the
 * oldest request with its id that has no response yet.
 */
export function requestsOf(seen: readonly Seen[]): ReadonlyMap<Seen, WireMessage> {
  const open = new Map<string, WireMessage[]>();
  const requests = new Map<Seen, WireMessage>();
  for (const entry of seen) {
    const { from, message } = entry;
    const kind = kindOf(message);
    if (message === undefined || kind === undefined || kind === "notification") continue;
    const key = `${kind === "request" ? from : otherSide(from)} ${idKey(message.id)}`;
    const same = open.get(key) ?? [];
    if (kind === "request") {
      same.push(message);
      open.set(key, same);
    } else {
      const request = same.shift();
      if (request !== undefined) requests.set(entry, request);
    }
  }
  return requests;
}

function shown(value: unknown, width: number): string {
  return value === undefined ? "" : cut(jsonText(value), width);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
