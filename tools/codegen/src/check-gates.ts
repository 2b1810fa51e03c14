import { capabilityTree } from "./capability-tree.js";
import { type Decision, DecisionsError } from "./decisions.js";
import type { Gates, PayloadGate } from "./gates.js";
import type { Definition, Node, ObjectNode, Property, SchemaIr } from "./ir.js";
import { taggedOf } from "./names.js";

const file = "tools/codegen/src/gates.ts";

/**
 * Compares the hand-written table of gates (the capabilities that methods need) with a schema.
 *
 * @throws {DecisionsError} with every method that has no entry, and every entry that names a method, capability, member
 *   or variant that does not exist.
 */
export function checkGates(ir: SchemaIr, gates: Gates): void {
  const decisions = gateProblems(ir, gates).map(
    ({ what, entry }): Decision => ({
      file,
      what: `${ir.id}: ${what}`,
      entry: entry === undefined ? undefined : [ir.id, ...entry],
    }),
  );
  if (decisions.length > 0) throw new DecisionsError(decisions);
}

/** The problem, and the table entry that causes it. A problem about a missing entry has no location. */
interface Problem {
  readonly what: string;
  readonly entry?: readonly string[];
}

function gateProblems(ir: SchemaIr, gates: Gates): Problem[] {
  const problems: Problem[] = [];
  const tree = capabilityTree(ir, gates.switches);
  const needs = (path: string, who: string, entry: readonly string[]) => {
    const kind = tree.get(path);
    if (kind === undefined)
      problems.push({ what: `${who} needs the capability "${path}", which the schema does not have`, entry });
    if (kind === "group")
      problems.push({ what: `${who} needs "${path}", which only contains other capabilities`, entry });
  };
  for (const { side, name } of ir.methods) {
    if (!isListed(gates, side, name))
      problems.push({ what: `no entry for the method "${name}", handled by side "${side}"` });
  }
  for (const [side, methods] of Object.entries(gates.methods)) {
    for (const [name, gate] of Object.entries(methods)) {
      const entry = ["methods", side, name];
      if (!ir.methods.some((method) => method.side === side && method.name === name)) {
        problems.push({ what: `there is no method "${name}" handled by side "${side}"`, entry });
      } else if (typeof gate !== "string" && "capability" in gate)
        for (const path of gate.capability) needs(path, `"${name}"`, entry);
    }
  }
  for (const gate of gates.payloads) {
    const entry = ["payloads", gate.at, ...(gate.variant === undefined ? [] : [gate.variant])];
    const missing = missingPlace(ir, gate);
    if (missing !== undefined) problems.push({ what: missing, entry });
    needs(gate.capability, `"${gate.at}"`, entry);
  }
  for (const path of gates.switches)
    if (!tree.has(path)) problems.push({ what: `there is no capability "${path}"`, entry: ["switches", path] });
  for (const name of Object.keys(gates.patches)) {
    const problem = patched(ir, gates, name);
    if (typeof problem === "string") problems.push({ what: problem, entry: ["patches", name] });
  }
  return problems;
}

/** Returns the members of a definition that have patch semantics, in the schema's order. */
export function patchedMembers(ir: SchemaIr, gates: Gates, name: string): readonly string[] {
  const members = patched(ir, gates, name);
  if (typeof members === "string")
    throw new DecisionsError([{ file, what: `${ir.id}: ${members}`, entry: [ir.id, "patches", name] }]);
  return members;
}

/** Returns the members, or the reason why there are none. */
function patched(ir: SchemaIr, gates: Gates, name: string): readonly string[] | string {
  const node = ir.definitions.get(name)?.node;
  const listed = gates.patches[name];
  if (node?.kind !== "object" || listed === undefined) return `there is no object "${name}" to patch`;
  const clearable = node.properties.filter(
    (property) => (!property.required && property.node.kind === "nullable") || isUnknown(property),
  );
  const names = clearable.map((property) => property.name);
  if (listed === "all") return names;
  const stale = listed.find((member) => !names.includes(member));
  if (stale !== undefined) return `${name}.${stale} is not an optional nullable member`;
  return names.filter((member) => listed.includes(member));
}

/** Whether a member may have any JSON value, including `null`, such as `rawInput`. */
function isUnknown(property: Property): boolean {
  return !property.required && property.node.kind === "any";
}

/** Returns why the place of a gate does not exist in a schema; `undefined` if it does. */
export function missingPlace(ir: SchemaIr, { at, variant }: PayloadGate): string | undefined {
  const [name = "", member] = at.split(".");
  const definition = ir.definitions.get(name);
  if (definition === undefined) return `there is no definition "${name}"`;
  const node = member === undefined ? definition.node : memberOf(definition, member)?.node;
  if (node === undefined) return `"${name}" has no member "${member}"`;
  if (variant === undefined) return undefined;
  return variantsOf(node, ir).includes(variant) ? undefined : `"${at}" has no variant "${variant}"`;
}

function memberOf({ node }: Definition, member: string): ObjectNode["properties"][number] | undefined {
  return node.kind === "object" ? node.properties.find((property) => property.name === member) : undefined;
}

/** Returns the tags or enum values that a value (or an item) of this type can have. */
function variantsOf(node: Node, ir: SchemaIr): (string | number)[] {
  const tagged = taggedOf(node);
  if (tagged !== undefined) return tagged.variants.map((variant) => variant.value);
  if (node.kind === "enum") return node.members.map((member) => member.value);
  if (node.kind === "nullable") return variantsOf(node.inner, ir);
  if (node.kind === "array") return variantsOf(node.items, ir);
  const target = node.kind === "ref" ? ir.definitions.get(node.name) : undefined;
  return target === undefined ? [] : variantsOf(target.node, ir);
}

/** Whether the table has an entry for the method. A method may be called `constructor`. */
export function isListed(gates: Gates, side: string, name: string): boolean {
  const methods = Object.hasOwn(gates.methods, side) ? gates.methods[side] : undefined;
  return methods !== undefined && Object.hasOwn(methods, name);
}
