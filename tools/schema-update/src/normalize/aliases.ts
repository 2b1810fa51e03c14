import { checkReferences, referencesIn } from "@acp-kit/codegen/check-nesting";
import { isObject, type JsonObject } from "./json.js";

/**
 * Refuses definitions that are aliases of themselves, or through hundreds of aliases. A definition that contains itself in a member or an
 * item is allowed, because a comparison of it ends.
 *
 * @throws {Error} with the cycle, or with the two ends of the chain.
 */
export function checkAliases(definitions: JsonObject): void {
  checkReferences(
    new Map(Object.entries(definitions).map(([name, schema]) => [name, referencesIn(sameValue(schema))])),
  );
}

/** Returns the parts of a schema that describe the value itself, not its members or items. */
function sameValue(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? (list as readonly unknown[]).map(sameValue) : [];
  });
  return [schema.$ref === undefined ? undefined : { $ref: schema.$ref }, ...lists];
}
