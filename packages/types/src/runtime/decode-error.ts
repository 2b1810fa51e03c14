import { formatIssue, type Issue } from "./issue.js";

const brand = Symbol.for("acp-kit.DecodeError");

/** A payload does not match the schema. `issues` lists the faults with their paths, in Standard Schema shape. */
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

/** Works across duplicate installs and realms, where `instanceof` does not. */
export function isDecodeError(value: unknown): value is DecodeError {
  return typeof value === "object" && value !== null && brand in value;
}

function summary(issues: readonly Issue[]): string {
  const [first, ...more] = issues;
  if (first === undefined) return "does not match the schema";
  return more.length === 0 ? formatIssue(first) : `${formatIssue(first)} (and ${more.length} more)`;
}
