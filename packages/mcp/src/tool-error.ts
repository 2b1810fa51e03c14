const brand = Symbol.for("acp-kit.ToolError");

/** An error whose message the model reads, to try again or to go on without the tool. */
export class ToolError extends Error {
  static {
    Object.defineProperty(ToolError.prototype, brand, { value: true });
  }
  override readonly name = "ToolError";
}

/** Returns whether an error is a `ToolError`, also of another copy of the package. */
export function isToolError(value: unknown): value is ToolError {
  return typeof value === "object" && value !== null && brand in value;
}
