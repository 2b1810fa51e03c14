import type { Message } from "@acp-kit/jsonrpc";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";

/** Returns the id of the session that params or a result name. */
export function sessionIn(value: unknown): string | undefined {
  const id = isJsonObject(value) && Object.hasOwn(value, "sessionId") ? value.sessionId : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Returns a message that can wait: a copy, if other code may change it. */
export function heldCopy<Kind extends Message>(
  message: Kind,
  size: number,
  text: string | undefined,
): { readonly message: Kind; readonly size: number; readonly text: string | undefined } {
  if (size > 0) return { message, size, text };
  const json = text ?? JSON.stringify(message);
  return { message: JSON.parse(json), size: json.length, text };
}
