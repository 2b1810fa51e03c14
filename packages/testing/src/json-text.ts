/** Serializes a peer's value for display, with a note in place of a value that is nested too deep. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "undefined";
  } catch (error) {
    return `(a value that can't be serialized: ${error instanceof Error ? error.message : String(error)})`;
  }
}
