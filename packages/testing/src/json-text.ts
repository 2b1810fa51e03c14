/**
 * Serializes a value from a peer for display. A value that is nested too deep is replaced by a note, so that no value
 * can crash the display.
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "undefined";
  } catch (error) {
    return `(a value that can't be serialized: ${error instanceof Error ? error.message : String(error)})`;
  }
}
