import { REDACTED } from "@acp-kit/protocol/internal";
import { TOO_DEEP, TOO_MANY } from "./map-value.js";

/** All texts that replace a value. */
const markers: readonly string[] = [REDACTED, TOO_DEEP, TOO_MANY];

/** Whether a text is exactly one that replaces a value. A text that only begins like one can contain secrets. */
export function isMarker(text: string): boolean {
  return markers.includes(text);
}

/** Whether a text is the beginning of a marker. Patterns for values stop at spaces and brackets. */
export function isMarkerStart(text: string): boolean {
  return markers.some((marker) => marker.startsWith(text));
}
