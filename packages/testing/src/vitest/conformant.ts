import { agentValidators, clientValidators, formatIssue, type ValidatorTable } from "@acp-kit/schema/validate";
import { requestsOf } from "../dialogue.js";
import { kindOf, type Seen, type Side, type WireMessage } from "../wire-message.js";

const tables: Readonly<Record<Side, ValidatorTable>> = { agent: agentValidators, client: clientValidators };

/** The context that is needed to validate a message: its sender and, for a response, the method of its request. */
export interface MessageContext {
  /** The sender; by default either side. */
  readonly from?: Side;
  /** For a response: the method of its request. */
  readonly responseTo?: string;
}

/** Lists the deviations of a message from stable version 1. The list is empty if the message conforms. */
export function faultsOf(value: unknown, { from, responseTo }: MessageContext = {}): string[] {
  const kind = kindOf(value);
  if (kind === undefined) return ["it is not a JSON-RPC message: it has no `method`, `result` or `error`"];
  const message = value as WireMessage;
  const envelope = envelopeFaults(message, kind);
  const sides = from === undefined ? (["agent", "client"] as const) : [from];
  return [
    ...envelope,
    ...(kind === "response" ? resultFaults(message, sides, responseTo) : paramsFaults(message, sides)),
  ];
}

/** Lists the deviations of a conversation from stable version 1: one line for each message with a problem. */
export function faultsOfSeen(seen: readonly Seen[], from: Side): string[] {
  const requests = requestsOf(seen);
  return seen
    .filter((entry) => entry.from === from)
    .flatMap((entry) => {
      const { index, message, text } = entry;
      if (message === undefined) return [`message ${index}: it is not a JSON-RPC message: ${JSON.stringify(text)}`];
      const responseTo = requests.get(entry)?.method;
      const context = responseTo === undefined ? { from } : { from, responseTo };
      const name = message.method ?? (responseTo === undefined ? "response" : `response to ${responseTo}`);
      return faultsOf(message, context).map((fault) => `message ${index}, ${name}: ${fault}`);
    });
}

function envelopeFaults(message: WireMessage, kind: "request" | "notification" | "response"): string[] {
  const faults: string[] = [];
  if (message.jsonrpc !== "2.0") faults.push('`jsonrpc` must be "2.0"');
  const { id } = message;
  if (kind !== "notification" && id !== null && typeof id !== "string" && !Number.isSafeInteger(id)) {
    faults.push("`id` must be a string, an integer or null");
  }
  if (kind !== "response") return faults;
  if ("result" in message && "error" in message) faults.push("a response has `result` or `error`, not both");
  const { error } = message;
  if (error !== undefined && !(Number.isSafeInteger(error?.code) && typeof error.message === "string")) {
    faults.push("`error` must have an integer `code` and a string `message`");
  }
  return faults;
}

function paramsFaults({ method = "", params }: WireMessage, sides: readonly Side[]): string[] {
  if (method.startsWith("_")) return []; // an extension can't be validated
  const validate = sides.map((side) => ownOf(tables[side].params, method)).find((found) => found !== undefined);
  if (validate === undefined) return [`${sides.join(" or ")} has no method ${method} to call in stable version 1`];
  return validate(params ?? {}).map((issue) => `params: ${formatIssue(issue)}`);
}

function resultFaults(message: WireMessage, sides: readonly Side[], responseTo: string | undefined): string[] {
  if (!("result" in message) || responseTo?.startsWith("_")) return [];
  if (responseTo === undefined) return ["it belongs to no open request; pass the method: { responseTo: method }"];
  const validate = sides.map((side) => ownOf(tables[side].results, responseTo)).find((found) => found !== undefined);
  if (validate === undefined) return [`${sides.join(" or ")} doesn't respond to ${responseTo} in stable version 1`];
  return validate(message.result).map((issue) => `result: ${formatIssue(issue)}`);
}

/** Returns a member of a table. A method can have the name of an inherited member, such as `toString`. */
function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
