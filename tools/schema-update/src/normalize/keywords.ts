/** Keywords that describe a value but do not affect its validity. */
const annotations = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "discriminator",
  "x-docs-ignore",
  "x-deserialize-default-on-error",
  "x-deserialize-skip-invalid-items",
  "x-deserialize-default-on-null",
]);

/** Keywords that {@link normalize} converts to members of a shape. */
const structural = new Set([
  "$ref",
  "type",
  "const",
  "enum",
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
]);

/** Bounds and similar keywords, by the JSON type that they limit. Their values are compared one by one. */
export const constraintKeywords = {
  string: ["format", "minLength", "maxLength", "pattern"],
  number: ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: [
    "minItems",
    "maxItems",
    "uniqueItems",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
  ],
  object: [
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
  ],
} as const;

const constraints = new Set<string>(Object.values(constraintKeywords).flat());

/** Keywords for a file's metadata, and the two keywords that define methods. */
const elsewhere = new Set(["$schema", "$id", "$anchor", "$defs", "definitions", "x-method", "x-side"]);

/** Whether a keyword belongs to a shape's notes: an annotation, or a keyword that this tool doesn't know. */
export function isNote(keyword: string): boolean {
  return keyword !== "title" && keyword !== "description" && (annotations.has(keyword) || isUnknown(keyword));
}

/** Whether a keyword is in none of the tables here. In JSON Schema, such a keyword is an annotation. */
export function isUnknown(keyword: string): boolean {
  return !annotations.has(keyword) && !structural.has(keyword) && !constraints.has(keyword) && !elsewhere.has(keyword);
}

/** Whether a keyword defines how a decoder recovers. Validators ignore these keywords. */
export function isDecoderKeyword(keyword: string): boolean {
  return keyword.startsWith("x-deserialize-");
}
