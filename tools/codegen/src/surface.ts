import { capabilityTree } from "./capability-tree.js";
import { declare } from "./declare.js";
import { openDefinitions } from "./direction.js";
import { handlerName } from "./emit-methods.js";
import type { Gates } from "./gates.js";
import type { SchemaIr } from "./ir.js";
import { Lowering } from "./lower.js";
import { camelCase, pascalCase, taggedOf } from "./names.js";

/**
 * Returns the exports of the code generated for a schema, each with its declaration, without documentation:
 * `NewSessionRequest`, `isKnownSessionUpdate`, `ErrorCode.parseError`, `agentMethods.newSession`, … If two declarations
 * are equal, the types are the same.
 */
export function surfaceOf(ir: SchemaIr, table: Gates): ReadonlyMap<string, string> {
  const exports = new Map<string, string>();
  const lowering = new Lowering(ir, openDefinitions(ir));
  for (const definition of ir.definitions.values()) {
    for (const { name, schema } of declare(definition, lowering)) exports.set(name, withoutWords(schema));
    const tagged = taggedOf(definition.node);
    if (tagged !== undefined) {
      const tags = tagged.variants.map(({ value }) => value).sort();
      exports.set(lowering.names.guard(definition.name), JSON.stringify([tagged.tag, tags]));
    }
  }
  const codes = ir.definitions.get("ErrorCode")?.node;
  if (codes?.kind === "enum")
    for (const { title, value } of codes.members)
      exports.set(`ErrorCode.${camelCase(pascalCase(title ?? String(value)))}`, String(value));
  for (const method of ir.methods) {
    const name = handlerName(method);
    exports.set(`${method.side}Methods.${name}`, method.name);
    exports.set(`decode${method.params}`, "");
    if (method.result !== undefined) exports.set(`decode${method.result}`, "");
  }
  for (const [path, kind] of capabilityTree(ir, table.switches))
    exports.set(`${path.slice(0, path.indexOf("."))}CapabilityTree.${path.slice(path.indexOf(".") + 1)}`, kind);
  return exports;
}

/** Returns a declaration as one text, without documentation. Members and alternatives are in a fixed order. */
function withoutWords(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key === "tsType" && typeof value === "string") return alternativesSorted(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value))
      return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) as readonly unknown[];
    const entries = Object.entries(value).filter(([name]) => key === "properties" || name !== "description");
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/**
 * Sorts the members of a union type, such as `("b" | "a" | (string & {}))` or `Omit<X, "b" | "a">`, because their order
 * has no meaning.
 */
function alternativesSorted(type: string): string {
  const inner = /^(\(|Omit<\w+, )(.*)([)>])$/.exec(type);
  return inner === null ? type : `${inner[1]}${inner[2]?.split(" | ").sort().join(" | ")}${inner[3]}`;
}
