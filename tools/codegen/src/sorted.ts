import type { Definition, SchemaIr } from "./ir.js";

/** Definitions by name, in code unit order: upstream's order follows its traversal, so it moves when something is added. */
export function sortedDefinitions(ir: SchemaIr): Definition[] {
  return sortedBy(ir.definitions.values(), (definition) => definition.name);
}

/** In code unit order, which no locale changes. */
export function sortedBy<T>(items: Iterable<T>, key: (item: T) => string): T[] {
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
