import type { RecordedMessage } from "./format.js";

/** Reduces a message that is too large to the members that identify it and that connect a request with its response. */
export function outlineOf(message: unknown): unknown {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return null;
  const { id, method, params, result, error } = message as RecordedMessage;
  return {
    jsonrpc: "2.0",
    ...(isShort(id) && { id }),
    ...(isShort(method) && { method }),
    ...(params !== undefined && { params: pick(params, ["sessionId"]) }),
    ...(result !== undefined && { result: pick(result, ["sessionId", "stopReason"]) }),
    ...(error !== undefined && { error: pick(error, ["code"]) }),
  };
}

function pick(value: unknown, names: readonly string[]): object {
  if (typeof value !== "object" || value === null) return {};
  const members = Object.entries(value).filter(([name, member]) => names.includes(name) && isShort(member));
  return Object.fromEntries(members);
}

function isShort(value: unknown): boolean {
  return typeof value === "number" || value === null || (typeof value === "string" && value.length < 1_000);
}
