/**
 * The dialect (the part of JSON Schema that the generator supports) as data: the known keywords, the places of
 * annotations, and the allowed combinations of the other keywords. The four schema files use only this part.
 */

/** The position of a schema determines which annotations are allowed. */
export type Position = "definition" | "property" | "branch" | "element" | "envelope";

/** The allowed annotations, keywords that change no valid values, by position. `description` is always allowed. */
export const annotations: Readonly<Record<Position, readonly string[]>> = {
  definition: ["x-method", "x-side", "x-docs-ignore"],
  property: [
    "default",
    "x-deserialize-default-on-error",
    "x-deserialize-skip-invalid-items",
    "x-deserialize-default-on-null",
  ],
  branch: ["title"],
  element: [],
  envelope: ["title", "x-docs-ignore"],
};

/** A known combination of shape keywords. */
export interface Form {
  readonly name: string;
  /** The value of `type` without `null`; `undefined` when the form has no `type`. */
  readonly type: string | undefined;
  /** `type: [T, "null"]` is allowed. */
  readonly nullable?: boolean;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** The positions of the form; every position if absent. */
  readonly positions?: readonly Position[];
}

const unions = ["anyOf", "oneOf"] as const;

/** Every shape that the generator supports. */
export const forms: readonly Form[] = [
  { name: "any value", type: undefined, required: [] },
  { name: "reference", type: undefined, required: ["$ref"] },
  { name: "wrapped reference", type: undefined, required: ["allOf"] },
  ...unions.map((union) => ({ name: "union", type: undefined, required: [union], optional: ["discriminator"] })),
  { name: "null", type: "null", required: [] },
  { name: "boolean", type: "boolean", nullable: true, required: [] },
  {
    name: "string",
    type: "string",
    nullable: true,
    required: [],
    optional: ["format", "minLength", "contentEncoding"],
  },
  { name: "string constant", type: "string", required: ["const"] },
  { name: "enumeration", type: "string", required: ["enum"] },
  { name: "integer", type: "integer", nullable: true, required: [], optional: ["format", "minimum", "maximum"] },
  { name: "integer constant", type: "integer", required: ["const"], optional: ["format"] },
  { name: "number", type: "number", nullable: true, required: [], optional: ["format", "minimum", "maximum"] },
  { name: "array", type: "array", nullable: true, required: ["items"], optional: ["minItems"] },
  { name: "map", type: "object", nullable: true, required: ["additionalProperties"] },
  { name: "empty object", type: "object", required: [] },
  { name: "object", type: "object", required: ["properties"], optional: ["required", "additionalProperties"] },
  {
    name: "tagged variant",
    type: "object",
    required: ["properties", "required", "allOf"],
    positions: ["branch"],
  },
  {
    name: "catch-all variant",
    type: "object",
    required: ["properties", "required", "not", "additionalProperties"],
    positions: ["branch"],
  },
  ...unions.flatMap((union): Form[] => [
    {
      name: "object with a union beside its members",
      type: "object",
      required: ["properties", union],
      optional: ["required", "discriminator"],
    },
    {
      name: "catch-all variant with a union beside its members",
      type: "object",
      required: ["properties", "required", "not", "unevaluatedProperties", union],
      positions: ["branch"],
    },
  ]),
];

/** The known formats. Decoders check most of them; `regex` and `double` are only documentation. */
export const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["uri", "date-time", "regex"],
  integer: ["uint16", "uint32", "uint64", "int32", "int64"],
  number: ["double"],
};

/** Every keyword that appears in the tables above, plus `type` and `description`. */
export const keywords: ReadonlySet<string> = new Set([
  "type",
  "description",
  ...Object.values(annotations).flat(),
  ...forms.flatMap((form) => [...form.required, ...(form.optional ?? [])]),
]);

interface ValueKind {
  /** What the value is, as the end of the sentence "expected …". */
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isConstant = (value: unknown): boolean => isText(value) || Number.isInteger(value);

const text: ValueKind = { name: "a string", accepts: isText };
const number: ValueKind = { name: "a number", accepts: Number.isFinite };
const list: ValueKind = { name: "a list", accepts: Array.isArray };
const object: ValueKind = {
  name: "an object",
  accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const texts: ValueKind = {
  name: "a list of strings",
  accepts: (value) => Array.isArray(value) && value.every(isText),
};
const constants: ValueKind = {
  name: "a list of strings or whole numbers",
  accepts: (value) => Array.isArray(value) && value.every(isConstant),
};

/** The kind of value of each keyword. Others have a schema, any value, or one of a few values. */
export const valueKinds: ReadonlyMap<string, ValueKind> = new Map([
  ["$ref", text],
  ["title", text],
  ["description", text],
  ["format", text],
  ["x-method", text],
  ["x-side", text],
  ["type", { name: "a string or a list of strings", accepts: (value) => isText(value) || texts.accepts(value) }],
  ["const", { name: "a string or a whole number", accepts: isConstant }],
  ["enum", constants],
  ["required", texts],
  ["minimum", number],
  ["maximum", number],
  ["minLength", number],
  ["minItems", number],
  ["properties", object],
  ["discriminator", object],
  ["allOf", list],
  ["anyOf", list],
  ["oneOf", list],
]);
