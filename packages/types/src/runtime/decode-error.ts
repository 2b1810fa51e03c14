import { formatIssue, type Issue } from "./issue.js";

const brand = Symbol.for("acp-kit.DecodeError");

/**
 * The error for a value that does not match the schema. `issues` lists the faults and their paths, in the form of
 * Standard Schema.
 */
export class DecodeError extends Error {
  static {
    Object.defineProperty(DecodeError.prototype, brand, { value: true });
  }
  override readonly name = "DecodeError";
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], options: { cause?: unknown } = {}) {
    super(summary(issues), options);
    this.issues = issues;
  }
}

/**
 * Returns whether an error is a `DecodeError`, even if the package is installed twice or the error was created in
 * another JavaScript realm, such as an iframe.
 */
export function isDecodeError(value: unknown): value is DecodeError {
  return typeof value === "object" && value !== null && brand in value;
}

function summary(issues: readonly Issue[]): string {
  const [first, ...more] = issues;
  if (first === undefined) return "the value does not match the schema";
  return more.length === 0 ? formatIssue(first) : `${formatIssue(first)} (and ${more.length} more)`;
}
