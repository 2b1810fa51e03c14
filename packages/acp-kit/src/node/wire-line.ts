import type { TapEvent } from "@acp-kit/protocol";
import { jsonText } from "./json-text.js";

/** Formats a message as a line: `{"t":ms,"from":"client"|"agent","message":{…}}`; `undefined` if invalid. */
export function wireLine(event: TapEvent, startedAt: number): string | undefined {
  if (event.malformed) return undefined;
  const t = Math.max(0, Math.round(event.time - startedAt));
  return jsonText({ t, from: event.direction === "sent" ? "client" : "agent", message: event.message });
}
