import { DialectError } from "./place.js";

/** One decision that a person must make before the generator can generate code from a schema. */
export interface Decision {
  /** The file to edit, relative to the repository. */
  readonly file: string;
  /** The line to edit, if the decision is about an existing line. */
  readonly line?: number | undefined;
  readonly what: string;
  /** The entry of the gate table that the decision is about, as keys: `v1`, `methods`, `agent`, `session/load`. */
  readonly entry?: readonly string[] | undefined;
}

/** Formats a decision as one line: `tools/codegen/src/gates.ts:77: v1: there is no method "session/load" …` */
export function decisionLine({ file, line, what }: Decision): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${what}`;
}

/** The error with which the generator stops. It lists all decisions, so that one review is enough. */
export class DecisionsError extends Error {
  override readonly name = "DecisionsError";
  readonly decisions: readonly Decision[];

  constructor(decisions: readonly Decision[]) {
    super(decisions.map(decisionLine).join("\n"));
    this.decisions = decisions;
  }
}

/** Collects the decisions of several parts of the generator. Each part stops at its first error. */
export class DecisionList {
  readonly #decisions: Decision[] = [];

  /** Runs one part. An error of the schema becomes a decision; a defect of the generator is thrown. */
  attempt<T>(schema: string, part: () => T): T | undefined {
    try {
      return part();
    } catch (error) {
      this.#decisions.push(...decisionsOf(schema, error));
      return undefined;
    }
  }

  /** Returns every decision once. */
  all(): readonly Decision[] {
    return [...new Map(this.#decisions.map((decision) => [decisionLine(decision), decision])).values()];
  }

  /** @throws {DecisionsError} when there is at least one decision to make. */
  throwIfAny(): void {
    const decisions = this.all();
    if (decisions.length > 0) throw new DecisionsError(decisions);
  }
}

/**
 * Returns the decisions in an error. The generator refuses a schema with a `DialectError`, a `DecisionsError` or a
 * plain `Error`. Any other error is a defect.
 */
function decisionsOf(schema: string, error: unknown): readonly Decision[] {
  if (error instanceof DecisionsError) return error.decisions;
  if (error instanceof DialectError)
    return [{ file: "tools/codegen/src/dialect-forms.ts", what: `${schema}: ${error.message}` }];
  if (error instanceof Error && error.constructor === Error)
    return [
      {
        file: "tools/codegen/src",
        what: error.message.startsWith(schema) ? error.message : `${schema}: ${error.message}`,
      },
    ];
  throw error;
}
