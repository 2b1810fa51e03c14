import { buildIr } from "./build-ir.js";
import { capabilityTree } from "./capability-tree.js";
import { completeGates } from "./complete-gates.js";
import { declare } from "./declare.js";
import { checkDialect } from "./dialect.js";
import { openDefinitions } from "./direction.js";
import { decoderRoots, receiving } from "./emit-decoders.js";
import { formOf } from "./emit-decoders-form.js";
import { DecoderModule } from "./emit-decoders-module.js";
import { handlerName } from "./emit-methods.js";
import { type Gates, gates } from "./gates.js";
import type { SchemaIr } from "./ir.js";
import type { LoadedSchema } from "./load.js";
import { Lowering } from "./lower.js";
import { camelCase, pascalCase, taggedOf } from "./names.js";

/**
 * The interface of the code generated for one schema, without documentation. If two surfaces are equal, types and decoders behave the same.
 */
export interface Surface {
  /** `NewSessionRequest`, `isKnownSessionUpdate`, `ErrorCode.parseError`, `agentMethods.newSession` → its declaration. */
  readonly exports: ReadonlyMap<string, string>;
  /** Params or result definition → the checks of its decoder. */
  readonly decoders: ReadonlyMap<string, string>;
  /** `agent request session/new` → params, result and gate. */
  readonly methods: ReadonlyMap<string, string>;
}

/**
 * Computes the surface of a schema.
 *
 * @throws {Error} when the generator can't read the schema, for example because an older schema uses another dialect.
 */
export function surfaceOf(schema: LoadedSchema): Surface {
  checkDialect(schema.document);
  const ir = buildIr(schema);
  const table = completeGates(ir, listedGates(ir)).gates;
  return { exports: exportsOf(ir, table), decoders: decodersOf(ir), methods: methodsOf(ir, table) };
}

/** Returns the table's entries for methods of this schema. A comparison also reads schemas that the table does not match. */
function listedGates(ir: SchemaIr): Gates {
  const found = gates[ir.id];
  const empty: Gates = { methods: {}, payloads: [], switches: [], patches: {} };
  if (found === undefined) return empty;
  const tree = capabilityTree(ir, []);
  return { ...found, switches: found.switches.filter((path) => tree.has(path)) };
}

function exportsOf(ir: SchemaIr, table: Gates): ReadonlyMap<string, string> {
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

function decodersOf(ir: SchemaIr): ReadonlyMap<string, string> {
  return new Map(
    decoderRoots(ir).map(({ definition, absence }) => {
      const module = new DecoderModule(ir, receiving, formOf);
      const check = module.asCheck(module.definition(definition), definition);
      return [definition, [absence, check, ...module.checks].join("\n")];
    }),
  );
}

function methodsOf(ir: SchemaIr, table: Gates): ReadonlyMap<string, string> {
  return new Map(
    ir.methods.map(({ side, kind, name, params, result }) => [
      `${side} ${kind} ${name}`,
      JSON.stringify({ params, result, gate: table.methods[side]?.[name] }),
    ]),
  );
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

/** Sorts the members of a union type, such as `("b" | "a" | (string & {}))`, because their order has no meaning. */
function alternativesSorted(type: string): string {
  return type.startsWith("(") && type.endsWith(")") ? type.slice(1, -1).split(" | ").sort().join(" | ") : type;
}
