import { isRequestId } from "./envelope.js";
import type { MalformedInput } from "./transport.js";

/** How much of a method's name an excerpt shows. */
const METHOD_CHARACTERS = 100;

/** Builds the report about a message over the limits, for a transport without text: the prefix of the text it would have, with the id in it. */
export function refusedMessage(value: unknown, problem: string, size: number): MalformedInput {
  return { kind: "too_large", message: problem, excerpt: beginning(value), size };
}

function beginning(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  const members = {
    jsonrpc: typeof jsonrpc === "string" ? jsonrpc.slice(0, METHOD_CHARACTERS) : undefined,
    id: isRequestId(id) ? id : undefined,
    method: typeof method === "string" ? method.slice(0, METHOD_CHARACTERS) : undefined,
  };
  const rest = ["params", "result", "error"].find((name) => name in value);
  return `${JSON.stringify(members).slice(0, -1)}${rest === undefined ? "" : `,"${rest}":`}`;
}
