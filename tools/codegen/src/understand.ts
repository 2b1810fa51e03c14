import { buildIr } from "./build-ir.js";
import { checkGates } from "./check-gates.js";
import { completeGates, tableOf } from "./complete-gates.js";
import { type Decision, DecisionList } from "./decisions.js";
import { dialectErrors } from "./dialect.js";
import { withGateLines } from "./gate-lines.js";
import { type Gates, gates } from "./gates.js";
import type { SchemaIr } from "./ir.js";
import { type Manifest, readSchema } from "./load.js";

/**
 * Reads schema files into the IR and compares them with the gate table.
 *
 * @param schemas - the path below `schema/` (`v1/schema.json`) → bytes.
 * @param decisions - receives each decision that a person must make first.
 */
export function understand(
  schemas: ReadonlyMap<string, Uint8Array>,
  manifest: Manifest,
  decisions: DecisionList,
): readonly SchemaIr[] {
  const irs = [...schemas].flatMap(([path, bytes]) => {
    const schema = readSchema(path, bytes, manifest);
    const errors = dialectErrors(schema.document);
    for (const error of errors)
      decisions.attempt(schema.id, () => {
        throw error;
      });
    const ir = errors.length > 0 ? undefined : decisions.attempt(schema.id, () => buildIr(schema));
    return ir === undefined ? [] : [ir];
  });
  for (const ir of irs) decisions.attempt(ir.id, () => checkGates(ir, gatesOf(ir)));
  return irs;
}

/**
 * Returns the decisions that `pnpm generate` would require for these files, without generating.
 *
 * @param table - the source of `gates.ts`, to find line numbers.
 */
export function decisionsAbout(
  schemas: ReadonlyMap<string, Uint8Array>,
  manifest: Manifest,
  table: string,
): readonly Decision[] {
  const decisions = new DecisionList();
  understand(schemas, manifest, decisions);
  return withGateLines(decisions.all(), table);
}

/** Returns the hand-written table of a schema, completed for the methods that it does not contain. */
export function gatesOf(ir: SchemaIr): Gates {
  if (gates[ir.id] === undefined) throw new Error(`${ir.id}: no entry in tools/codegen/src/gates.ts`);
  return completeGates(ir, tableOf(ir)).gates;
}
