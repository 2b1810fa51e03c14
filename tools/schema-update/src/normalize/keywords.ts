/** Keywords that describe a value without deciding whether it is valid. */
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

/** Keywords that {@link normalize} gives a form of their own. */
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

/** Bounds and the like, by the JSON type they limit. They are compared value by value. */
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

/** Where a file keeps its words about itself, and the two keywords that the method table is made of. */
const elsewhere = new Set(["$schema", "$id", "$anchor", "$defs", "definitions", "x-method", "x-side"]);

/** True for keywords that belong to a shape's notes: annotations, and keywords that this tool doesn't know. */
export function isNote(keyword: string): boolean {
  return keyword !== "title" && keyword !== "description" && (annotations.has(keyword) || isUnknown(keyword));
}

/** True for a keyword that isn't in any table here. JSON Schema says such a keyword is an annotation. */
export function isUnknown(keyword: string): boolean {
  return !annotations.has(keyword) && !structural.has(keyword) && !constraints.has(keyword) && !elsewhere.has(keyword);
}

/** True for the keywords that define how a decoder recovers; their effect never shows in a validator. */
export function isDecoderKeyword(keyword: string): boolean {
  return keyword.startsWith("x-deserialize-");
}
