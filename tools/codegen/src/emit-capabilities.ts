import { capabilityRoots, capabilityTree } from "./capability-tree.js";
import { checkGates, patchedMembers } from "./check-gates.js";
import type { Gates } from "./gates.js";
import { header } from "./header.js";
import type { SchemaIr } from "./ir.js";
import { runtimeOf } from "./output-paths.js";
import { sortedBy } from "./sorted.js";

/** Emits `capabilities.gen.ts`: capability trees, gates on parts of messages, members with patch semantics. */
export function emitCapabilities(ir: SchemaIr, gates: Gates): string {
  checkGates(ir, gates);
  return [
    header(ir),
    "",
    `import type { CapabilityKind, PayloadGate } from "${runtimeOf(ir, "capability")}";`,
    ...Object.keys(capabilityRoots).flatMap((side) => treeOf(side, ir, gates)),
    "",
    "/** The parts of messages that their receiver must have advertised a capability for. */",
    "export const payloadGates: readonly PayloadGate[] = [",
    ...gates.payloads.map(
      ({ at, variant, capability }) =>
        `  { at: ${quote(at)}, ${variant === undefined ? "" : `variant: ${quote(variant)}, `}capability: ${quote(capability)} },`,
    ),
    "];",
    "",
    "/**",
    " * The members that keep their value when an update omits them and lose it when it says `null`. Everywhere else, `null`",
    " * and absence mean the same.",
    " */",
    "export const patchedMembers: { readonly [definition: string]: readonly string[] } = {",
    ...sortedBy(Object.keys(gates.patches), (name) => name).map(
      (name) => `  ${name}: [${patchedMembers(ir, gates, name).map(quote).join(", ")}],`,
    ),
    "};",
    "",
  ].join("\n");
}

function treeOf(side: string, ir: SchemaIr, gates: Gates): string[] {
  const prefix = `${side}.`;
  const entries = [...capabilityTree(ir, gates.switches)].filter(([path]) => path.startsWith(prefix));
  const type = `${side === "agent" ? "Agent" : "Client"}CapabilityPath`;
  return [
    "",
    `/** The path of a capability that ${side === "agent" ? "an agent" : "a client"} can advertise. */`,
    `export type ${type} =`,
    `${entries.map(([path]) => `  | ${quote(path.slice(prefix.length))}`).join("\n")};`,
    "",
    `/** The kind of each capability of ${side === "agent" ? "an agent" : "a client"}, which determines how it is advertised: see {@link CapabilityKind}. */`,
    `export const ${side}CapabilityTree: { readonly [path in ${type}]: CapabilityKind } = {`,
    ...entries.map(([path, kind]) => `  ${quote(path.slice(prefix.length))}: ${quote(kind)},`),
    "};",
  ];
}

function quote(text: string): string {
  return JSON.stringify(text);
}
