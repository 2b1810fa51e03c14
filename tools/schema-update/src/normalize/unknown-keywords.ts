import { isObject, type JsonObject } from "./json.js";
import { isUnknown } from "./keywords.js";

export interface UnknownKeyword {
  readonly keyword: string;
  /** Definitions that use the keyword, in the file's order. */
  readonly definitions: readonly string[];
}

/** Returns the keywords of a file that this tool does not know, for review. */
export function unknownKeywords(document: JsonObject): readonly UnknownKeyword[] {
  const found = new Map<string, Set<string>>();
  const visit = (schema: unknown, definition: string): void => {
    if (Array.isArray(schema)) for (const inner of schema) visit(inner, definition);
    if (!isObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (isUnknown(keyword)) found.set(keyword, (found.get(keyword) ?? new Set()).add(definition));
      else if (namedSchemas.has(keyword) && isObject(value)) {
        for (const inner of Object.values(value)) visit(inner, definition);
      } else if (schemas.has(keyword)) visit(value, definition);
    }
  };
  for (const keyword of ["$defs", "definitions"]) {
    const definitions = document[keyword];
    if (isObject(definitions)) for (const [name, schema] of Object.entries(definitions)) visit(schema, name);
  }
  visit(
    Object.fromEntries(
      Object.entries(document).filter(([keyword]) => keyword !== "$defs" && keyword !== "definitions"),
    ),
    "(root)",
  );
  return [...found].map(([keyword, definitions]) => ({ keyword, definitions: [...definitions] }));
}

const namedSchemas = new Set(["properties", "patternProperties", "dependentSchemas"]);
const schemas = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "prefixItems",
  "contains",
  "propertyNames",
  "if",
  "then",
  "else",
]);
