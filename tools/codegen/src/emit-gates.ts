import { checkGates } from "./check-gates.js";
import type { Gates } from "./gates.js";
import { header } from "./header.js";
import type { SchemaIr } from "./ir.js";
import { runtimeOf } from "./output-paths.js";
import { sortedBy } from "./sorted.js";

/**
 * Emits `gates.gen.ts`: the gates that a peer needs at run time for the methods it calls. The file repeats a part of
 * the method tables, so that a peer does not load the whole tables.
 */
export function emitGates(ir: SchemaIr, gates: Gates): string {
  checkGates(ir, gates);
  return [
    header(ir),
    "",
    `import type { MethodGates } from "${runtimeOf(ir, "method-info")}";`,
    ...(["agent", "client"] as const).flatMap((side) => {
      const methods = ir.methods.filter((method) => method.side === side);
      const entries = sortedBy(methods, ({ name }) => name).flatMap(({ name }) => {
        const gate = gates.methods[side]?.[name];
        if (gate === undefined || typeof gate === "string" || !("capability" in gate)) return [];
        const paths = gate.capability.map((path) => JSON.stringify(path)).join(", ");
        return [`  ${JSON.stringify(name)}: { capability: [${paths}] },`];
      });
      return [
        "",
        `/** The methods that ${side === "agent" ? "an agent" : "a client"} handles only if it has advertised one of these capabilities. */`,
        `export const ${side}Gates: MethodGates = {`,
        ...entries,
        "};",
      ];
    }),
    "",
  ].join("\n");
}
