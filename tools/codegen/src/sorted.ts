import type { Definition, SchemaIr } from "./ir.js";

/** Returns the definitions sorted by name, in code unit order. The schema's own order changes with additions. */
export function sortedDefinitions(ir: SchemaIr): Definition[] {
  return sortedBy(ir.definitions.values(), (definition) => definition.name);
}

/** Compares in code unit order, independent of the locale. */
export function sortedBy<T>(items: Iterable<T>, key: (item: T) => string): T[] {
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}
