import { buildMethods } from "./build-methods.js";
import { buildNode } from "./build-node.js";
import type { Definition, SchemaIr } from "./ir.js";
import type { LoadedSchema } from "./load.js";
import { definitionPlace } from "./place.js";

/**
 * Converts a schema to the IR (intermediate representation). `checkDialect` must have accepted the schema.
 *
 * @throws {DialectError} when the kind of a union is unknown, or a method is incomplete.
 * @throws {DecisionsError} when an envelope (a definition of a JSON-RPC message) contains a payload without a method
 * name.
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
