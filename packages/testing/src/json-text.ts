/** The JSON text of what a peer has sent, to be shown. What is nested too deep to be written is named so: it must not end who shows it. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? "undefined";
  } catch (error) {
    return `(a value that can't be written: ${error instanceof Error ? error.message : String(error)})`;
  }
}
