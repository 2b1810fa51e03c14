import { capabilityTree } from "./capability-tree.js";
import type { Gates, MethodGate } from "./gates.js";
import type { Method, SchemaIr } from "./ir.js";

/** The gate of a method that the hand-written table does not contain. */
export interface InferredGate {
  readonly side: string;
  readonly method: string;
  readonly gate: MethodGate;
}

/** The condition of a method for which the schema names no capability. */
export const unnamedCondition = "its documentation says when";

/**
 * Completes the hand-written table for methods that are new in a schema, so that an addition needs no edit.
 *
 * The schema has no keyword for a gate. The gate is a capability that the description of the params names ("Only available if the Agent
 * supports the `sessionCapabilities.list` capability"). Otherwise it is the capability of the handler whose name matches the method
 * (`session/fork` → `sessionCapabilities.fork`), if there is exactly one. Otherwise the method has a condition that is not known: its handler is
 * optional, and every call is allowed.
 */
export function completeGates(ir: SchemaIr, gates: Gates): { gates: Gates; inferred: readonly InferredGate[] } {
  const missing = ir.methods.filter(({ side, name }) => !isListed(gates, side, name));
  if (missing.length === 0) return { gates, inferred: [] };
  const paths = [...capabilityTree(ir, gates.switches)].flatMap(([path, kind]) => (kind === "group" ? [] : [path]));
  const inferred = missing.map((method) => ({
    side: method.side,
    method: method.name,
    gate: inferGate(ir, method, paths),
  }));
  const methods: Record<string, Record<string, MethodGate>> = {};
  for (const [side, table] of Object.entries(gates.methods)) methods[side] = { ...table };
  for (const { side, method, gate } of inferred) methods[side] = { ...methods[side], [method]: gate };
  return { gates: { ...gates, methods }, inferred };
}

/** Whether the table has an entry for the method. Inherited members don't count, because a method may be called `constructor`. */
export function isListed(gates: Gates, side: string, name: string): boolean {
  const methods = Object.hasOwn(gates.methods, side) ? gates.methods[side] : undefined;
  return methods !== undefined && Object.hasOwn(methods, name);
}

function inferGate(ir: SchemaIr, { side, name, params }: Method, paths: readonly string[]): MethodGate {
  const own = paths.filter((path) => path.startsWith(`${side}.`));
  const named = namedCapability(ir.definitions.get(params)?.doc ?? "", own, side) ?? likeNamed(name, own);
  return named === undefined ? { condition: unnamedCondition } : { capability: [named] };
}

/** Returns the capability that a sentence of the documentation names in backticks. */
function namedCapability(doc: string, paths: readonly string[], side: string): string | undefined {
  for (const sentence of doc.split(/[.!?]\s/)) {
    if (!/capabilit/i.test(sentence)) continue;
    for (const [, said] of sentence.matchAll(/`([\w.]+)`/g)) {
      const exact = paths.find((path) => path === `${side}.${said}`);
      const [only, ...more] = paths.filter((path) => path.endsWith(`.${said}`));
      if (exact !== undefined) return exact;
      if (only !== undefined && more.length === 0) return only;
    }
  }
  return undefined;
}

/**
 * Finds the capability whose area and last word match the method: `session/fork` → `agent.sessionCapabilities.fork`. `undefined` if several
 * match.
 */
function likeNamed(method: string, paths: readonly string[]): string | undefined {
  const [area, ...rest] = method.split("/");
  const word = rest.at(-1)?.replaceAll("_", "").toLowerCase();
  if (area === undefined || word === undefined) return undefined;
  const [only, ...more] = paths.filter((path) => {
    const [, group, ...below] = path.toLowerCase().split(".");
    return group?.startsWith(area.toLowerCase()) === true && below.at(-1) === word;
  });
  return more.length === 0 ? only : undefined;
}
