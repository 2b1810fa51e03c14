import { buildMethods } from "./build-methods.js";
import { buildNode } from "./build-node.js";
import type { Definition, SchemaIr } from "./ir.js";
import type { LoadedSchema } from "./load.js";
import { definitionPlace } from "./place.js";

/**
 * Turns a schema whose dialect has been checked into the IR.
 *
 * @throws {DialectError} when a union is of no known kind, or a method is incomplete.
 * @throws {DecisionsError} when an envelope carries a payload without a method name.
 */
export function buildIr(schema: LoadedSchema): SchemaIr {
  const { id, protocolVersion, unstable, source, document } = schema;
  const definitions = new Map<string, Definition>();
  for (const [name, definition] of Object.entries(document.$defs)) {
    if (definition["x-docs-ignore"] === true) continue;
    definitions.set(name, { name, doc: definition.description, node: buildNode(definition, definitionPlace(name)) });
  }
  return { id, protocolVersion, unstable, source, definitions, methods: buildMethods(document, id) };
}
