import type { DecoderSchema, DecoderSchemaResult, Issue } from "@acp-kit/types/internal";

/**
 * Checks a value by the strict rules for senders. The result is a list with the first fault of the value; the list is
 * empty if the value is valid. A validator repairs nothing, and refuses variants that the schema does not allow.
 *
 * A validator is also a Standard Schema, for tools that accept one.
 */
export interface Validator<T> extends DecoderSchema<T> {
  (value: unknown): readonly Issue[];
}

/**
 * The validators of everything that one side sends, by method name. The tables have no prototype, so that
 * `params["constructor"]` is `undefined`.
 */
export interface ValidatorTable {
  readonly params: Readonly<Record<string, Validator<unknown>>>;
  readonly results: Readonly<Record<string, Validator<unknown>>>;
}

/** @internal A function compiled by ajv. */
export interface AjvValidate {
  (value: unknown): boolean;
  readonly errors?: readonly AjvError[] | null;
}

/** @internal The part of ajv's error objects that is used. */
export interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const nothing: readonly Issue[] = Object.freeze([]);

/** @internal Creates a validator from a function compiled by ajv. */
export function validator<T>(ajv: AjvValidate): Validator<T> {
  const issues = (value: unknown): readonly Issue[] => (ajv(value) ? nothing : [firstFault(value, ajv.errors ?? [])]);
  const validate = (value: unknown): DecoderSchemaResult<T> => {
    const found = issues(value);
    return found.length === 0 ? { value: value as T } : { issues: found };
  };
  return Object.assign(issues, { "~standard": { version: 1, vendor: "acp-kit", validate } as const });
}

/** @internal Creates a table whose inherited names (`constructor`, `__proto__`) are not methods. */
export function validatorTable<Params extends object, Results extends object>(
  params: Params,
  results: Results,
): { readonly params: Params; readonly results: Results } {
  return { params: Object.setPrototypeOf(params, null), results: Object.setPrototypeOf(results, null) };
}

/**
 * Selects the fault to report. If a value matches no alternative of a union without a tag, ajv lists the errors of all
 * alternatives. The error with the longest path probably belongs to the alternative that the sender meant; an error
 * about a missing member probably does not.
 */
function firstFault(value: unknown, errors: readonly AjvError[]): Issue {
  const candidates = errors
    .filter(
      ({ keyword }, index) => (keyword !== "anyOf" && keyword !== "acpTagged") || errors.length === 1 || index === 0,
    )
    .map((error) => ({ issue: toIssue(value, error), missing: error.keyword === "required" }));
  const [first, ...others] = candidates;
  const best = others.reduce((a, b) => {
    if (a === undefined || a.missing !== b.missing) return a?.missing === false ? a : b;
    return b.issue.path.length > a.issue.path.length ? b : a;
  }, first);
  return best?.issue ?? { path: [], message: "does not match the schema" };
}

function toIssue(value: unknown, { instancePath, keyword, params }: AjvError): Issue {
  const path = parsePointer(value, instancePath);
  switch (keyword) {
    case "required":
      return { path: [...path, String(params.missingProperty)], message: "must be present (missing)" };
    case "acpTagged":
      return { path: [...path, String(params.tag)], message: `must be ${oneOf(params.allowedValues)}` };
    case "type":
      return { path, message: `must be ${/^[aeiou]/.test(String(params.type)) ? "an" : "a"} ${params.type}` };
    case "const":
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` };
    case "enum":
      return { path, message: `must be ${oneOf(params.allowedValues)}` };
    case "minimum":
    case "maximum":
      return { path, message: `must be ${params.comparison} ${params.limit}` };
    case "minItems":
      return { path, message: `must be an array with ${params.limit} or more items` };
    case "acpMinLength":
      return {
        path,
        message: params.limit === 1 ? "must be a non-empty string" : `must have ${params.limit} characters`,
      };
    case "acpFormat":
      return { path, message: params.format === "uri" ? "must be an absolute URI" : "must be an RFC 3339 date-time" };
    case "oneOf":
      return { path, message: "must fit exactly one of its alternatives" };
    default:
      return { path, message: "does not match the schema" };
  }
}

/** Describes the allowed values. An open union allows any string as its tag, and has no list of values. */
function oneOf(values: unknown): string {
  return Array.isArray(values) ? `one of ${values.map((value) => JSON.stringify(value)).join(", ")}` : "a string";
}

/**
 * Converts `/update/content/0` to `["update", "content", 0]`. A segment becomes an index if the value has an array
 * there.
 */
function parsePointer(value: unknown, pointer: string): PropertyKey[] {
  let here: unknown = value;
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => {
      const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
      const isIndex = Array.isArray(here);
      here = (here as Record<string, unknown> | undefined)?.[key];
      return isIndex ? Number(key) : key;
    });
}
