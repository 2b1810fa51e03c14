import { checkReferences, referencesIn } from "@acp-kit/codegen/check-nesting";
import { isObject, type JsonObject } from "./json.js";

/**
 * Refuses definitions that are themselves under another name, or so through hundreds of others. A definition that contains
 * itself in a member or an item is another matter: a comparison ends there.
 *
 * @throws {Error} spelling out the cycle, or naming the ends of the chain.
 */
export function checkAliases(definitions: JsonObject): void {
  checkReferences(
    new Map(Object.entries(definitions).map(([name, schema]) => [name, referencesIn(sameValue(schema))])),
  );
}

/** The parts of a schema that describe the value itself, not what is inside it. */
function sameValue(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? (list as readonly unknown[]).map(sameValue) : [];
  });
  return [schema.$ref === undefined ? undefined : { $ref: schema.$ref }, ...lists];
}
