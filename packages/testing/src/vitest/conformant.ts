import * as v2 from "@acp-kit/schema/v2/validate";
import { agentValidators, clientValidators, formatIssue, type ValidatorTable } from "@acp-kit/schema/validate";
import { requestsOf } from "../dialogue.js";
import { kindOf, type Seen, type Side, type WireMessage } from "../wire-message.js";

/** The versions of the protocol that a message can be checked against. */
type Version = 1 | 2;

const tables: Readonly<Record<Version, Readonly<Record<Side, ValidatorTable>>>> = {
  1: { agent: agentValidators, client: clientValidators },
  2: { agent: v2.agentValidators, client: v2.clientValidators },
};

/** The context that is needed to validate a message: its sender and, for a response, the method of its request. */
export interface MessageContext {
  /** The sender; by default either side. */
  readonly from?: Side;
  /** For a response: the method of its request. */
  readonly responseTo?: string;
  /** The version of the protocol. The default is 1. */
  readonly version?: Version;
}

/** Lists the deviations of a message from a stable version. The list is empty if the message conforms. */
export function faultsOf(value: unknown, { from, responseTo, version = 1 }: MessageContext = {}): string[] {
  const kind = kindOf(value);
  if (kind === undefined) return ["it is not a JSON-RPC message: it has no `method`, `result` or `error`"];
  const message = value as WireMessage;
  const sides = (from === undefined ? (["agent", "client"] as const) : [from]).map((side) => ({
    side,
    ...tables[version][side],
  }));
  return [
    ...envelopeFaults(message, kind, version),
    ...(kind === "response"
      ? resultFaults(message, sides, version, responseTo)
      : paramsFaults(message, sides, version)),
  ];
}

/**
 * Lists the deviations of a conversation: one line for each message with a problem. The response to `initialize` names
 * the version of all later messages.
 */
export function faultsOfSeen(seen: readonly Seen[], from: Side): string[] {
  const requests = requestsOf(seen);
  let negotiated: Version = 1;
  return seen.flatMap((entry) => {
    const { index, message, text } = entry;
    const responseTo = requests.get(entry)?.method;
    let version = negotiated;
    if (message?.method === "initialize") version = versionIn(message.params);
    else if (responseTo === "initialize" && message?.result !== undefined)
      version = negotiated = versionIn(message.result);
    if (entry.from !== from) return [];
    if (message === undefined) return [`message ${index}: it is not a JSON-RPC message: ${JSON.stringify(text)}`];
    const context = { from, version, ...(responseTo !== undefined && { responseTo }) };
    const name = message.method ?? (responseTo === undefined ? "response" : `response to ${responseTo}`);
    return faultsOf(message, context).map((fault) => `message ${index}, ${name}: ${fault}`);
  });
}

function versionIn(value: unknown): Version {
  return (value as { readonly protocolVersion?: unknown } | null)?.protocolVersion === 2 ? 2 : 1;
}

function envelopeFaults(
  message: WireMessage,
  kind: "request" | "notification" | "response",
  version: Version,
): string[] {
  const faults: string[] = [];
  if (message.jsonrpc !== "2.0") faults.push('`jsonrpc` must be "2.0"');
  const { id } = message;
  const isNullAllowed = version === 1 || message.error !== undefined;
  if (kind !== "notification" && typeof id !== "string" && !Number.isSafeInteger(id) && !(id === null && isNullAllowed))
    faults.push(isNullAllowed ? "`id` must be a string, an integer or null" : "`id` must be a string or an integer");
  if (kind !== "response") return faults;
  if ("result" in message && "error" in message) faults.push("a response has `result` or `error`, not both");
  const { error } = message;
  if (error !== undefined && !(Number.isSafeInteger(error?.code) && typeof error.message === "string")) {
    faults.push("`error` must have an integer `code` and a string `message`");
  }
  return faults;
}

type Tables = readonly (ValidatorTable & { readonly side: Side })[];

function paramsFaults({ method = "", params }: WireMessage, sides: Tables, version: Version): string[] {
  if (method.startsWith("_")) return []; // an extension can't be validated
  const validate = sides.map((side) => ownOf(side.params, method)).find((found) => found !== undefined);
  if (validate === undefined) return [`${namesOf(sides)} has no method ${method} to call in stable version ${version}`];
  return validate(params ?? {}).map((issue) => `params: ${formatIssue(issue)}`);
}

function resultFaults(message: WireMessage, sides: Tables, version: Version, responseTo: string | undefined): string[] {
  if (!("result" in message) || responseTo?.startsWith("_")) return [];
  if (responseTo === undefined) return ["it belongs to no open request; pass the method: { responseTo: method }"];
  const validate = sides.map((side) => ownOf(side.results, responseTo)).find((found) => found !== undefined);
  if (validate === undefined)
    return [`${namesOf(sides)} doesn't respond to ${responseTo} in stable version ${version}`];
  return validate(message.result).map((issue) => `result: ${formatIssue(issue)}`);
}

function namesOf(sides: Tables): string {
  return sides.map(({ side }) => side).join(" or ");
}

/** Returns a member of a table. A method can have the name of an inherited member, such as `toString`. */
function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
