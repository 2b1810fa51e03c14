import { DecodeError } from "./decode-error.js";
import type { Issue } from "./issue.js";
import { type Check, fail, type Members, note, type Run, repair, takeBack } from "./run.js";
import type { DecoderSchema, DecoderSchemaResult } from "./standard-schema.js";

/** The result of {@link Decoder.try}. */
export type DecodeResult<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** The faults that the decoder repaired by the recovery rules of the schema. The list is usually empty. */
      readonly salvaged: readonly Issue[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Checks whether an unknown value is a `T`, by the rules for received messages. It repairs faults where the schema
 * allows it, and keeps unknown members and variants unchanged.
 *
 * It makes repairs **in place** and returns the value itself, so use it on the output of `JSON.parse`. It does not
 * change a value that it refuses. A decoder is also a Standard Schema, for tools that accept one.
 */
export interface Decoder<out T> extends DecoderSchema<T> {
  /**
   * @throws {DecodeError} with a message that names the first fault: `update.content.text: must be a string (missing)`.
   */
  (value: unknown): T;
  /** Decodes a value without throwing, and returns the faults that it repaired. */
  readonly try: (value: unknown) => DecodeResult<T>;
}

/**
 * The decoders of everything that one role receives, by method name. The tables have no prototype, so that
 * `params["constructor"]` is `undefined`.
 */
export interface DecoderTable {
  readonly params: Readonly<Record<string, Decoder<unknown>>>;
  readonly results: Readonly<Record<string, Decoder<unknown>>>;
}

/**
 * How a decoder reads an absent value. `params`: absent params and `null` are read as `{}`. `empty-result`: `null` is
 * read as `{}` and reported, because some peers send `null` instead of an object without required members. `exact`: an
 * absent value is refused.
 */
export type Absence = "params" | "empty-result" | "exact";

const nothing: readonly Issue[] = Object.freeze([]);

/** @internal Creates a decoder from a check. */
export function decoder<T>(check: Check, absence: Absence = "exact"): Decoder<T> {
  const attempt = (value: unknown): DecodeResult<T> => {
    const run: Run = { n: 0, changes: [], fault: undefined };
    try {
      const subject = value == null && absence !== "exact" ? standIn(run, value, absence) : value;
      if (check(subject, run)) {
        return { ok: true, value: subject as T, salvaged: run.n === 0 ? nothing : reports(run) };
      }
      return { ok: false, issues: refusal(run) };
    } catch (error) {
      // This value was not created by `JSON.parse`: it has a getter that throws, or it is frozen and needs a repair.
      takeBack(run, 0);
      return { ok: false, issues: [{ path: [], message: `cannot be decoded in place: ${String(error)}` }] };
    }
  };
  const decode = (value: unknown): T => {
    const result = attempt(value);
    if (result.ok) return result.value;
    throw new DecodeError(result.issues);
  };
  const validate = (value: unknown): DecoderSchemaResult<T> => {
    const result = attempt(value);
    return result.ok ? { value: result.value } : { issues: result.issues };
  };
  return Object.assign(decode, {
    try: attempt,
    "~standard": { version: 1, vendor: "acp-kit", validate } as const,
  });
}

/** @internal Creates a table whose inherited names (`constructor`, `__proto__`) are not methods. */
export function decoderTable<Params extends object, Results extends object>(
  params: Params,
  results: Results,
): { readonly params: Params; readonly results: Results } {
  return { params: Object.setPrototypeOf(params, null), results: Object.setPrototypeOf(results, null) };
}

function standIn(run: Run, value: unknown, absence: Absence): Members {
  if (absence === "empty-result") {
    fail(run, value, "an object");
    if (run.fault !== undefined) note(run, { path: [], message: repair(run.fault, {}), undo() {} });
    run.fault = undefined;
  }
  return {};
}

function reports({ changes }: Run): readonly Issue[] {
  const reported = changes.flatMap(({ path, message }) =>
    message === undefined ? [] : [{ path: path.reverse(), message }],
  );
  return reported.length === 0 ? nothing : reported;
}

function refusal(run: Run): readonly Issue[] {
  const { fault } = run;
  takeBack(run, 0);
  return [{ path: fault?.path.reverse() ?? [], message: fault?.message ?? "does not match the schema" }];
}
