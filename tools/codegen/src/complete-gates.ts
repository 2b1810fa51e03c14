import { capabilityTree } from "./capability-tree.js";
import { isListed, missingPlace } from "./check-gates.js";
import { type Gates, gates as listed, type MethodGate } from "./gates.js";
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
 * Returns the table of a schema, with the entries of the unstable schema's table for the parts that are stable now. If
 * upstream moves a feature from the unstable to the stable schema, its gates move with it.
 */
export function tableOf(ir: SchemaIr): Gates {
  const own = listed[ir.id] ?? { methods: {}, payloads: [], switches: [], patches: {} };
  const unstable = ir.unstable ? undefined : listed[`${ir.id}-unstable`];
  if (unstable === undefined) return own;
  const switches = [...new Set([...own.switches, ...unstable.switches])];
  const tree = capabilityTree(ir, switches);
  const methods = Object.entries(unstable.methods).map(([side, table]) => {
    const stable = Object.entries(table).filter(
      ([name, gate]) =>
        ir.methods.some((method) => method.side === side && method.name === name) &&
        (typeof gate === "string" || !("capability" in gate) || gate.capability.every((path) => tree.has(path))),
    );
    return [side, { ...Object.fromEntries(stable), ...own.methods[side] }] as const;
  });
  const payloads = unstable.payloads.filter(
    (gate) => tree.has(gate.capability) && missingPlace(ir, gate) === undefined && !own.payloads.some(sameGate(gate)),
  );
  const patches = Object.entries(unstable.patches).filter(([name]) => ir.definitions.has(name));
  return {
    methods: { ...own.methods, ...Object.fromEntries(methods.filter(([, table]) => Object.keys(table).length > 0)) },
    payloads: [...own.payloads, ...payloads],
    switches: switches.filter((path) => own.switches.includes(path) || tree.has(path)),
    patches: { ...Object.fromEntries(patches), ...own.patches },
  };
}

const sameGate =
  (a: Gates["payloads"][number]) =>
  (b: Gates["payloads"][number]): boolean =>
    a.at === b.at && a.variant === b.variant;

/**
 * Completes the hand-written table for methods that are new in a schema, so that an addition needs no edit.
 *
 * The schema has no keyword for a gate. The gate is a capability that the description of the params names ("Only
 * available if the Agent supports the `sessionCapabilities.list` capability"). Otherwise it is the capability of the
 * handler whose name matches the method (`session/fork` → `sessionCapabilities.fork`), if there is exactly one.
 * Otherwise the method has a condition that is not known: its handler is optional, and every call is allowed.
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

/** Finds the capability like a method: `session/fork` → `agent.sessionCapabilities.fork`, if only one is. */
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
