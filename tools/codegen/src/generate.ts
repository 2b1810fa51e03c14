import { DecisionList } from "./decisions.js";
import { emitCapabilities } from "./emit-capabilities.js";
import { emitDecoders } from "./emit-decoders.js";
import { emitErrorCodes } from "./emit-error-codes.js";
import { emitGates } from "./emit-gates.js";
import { emitGuards } from "./emit-guards.js";
import { emitMembers } from "./emit-members.js";
import { emitMethods } from "./emit-methods.js";
import { emitTypes } from "./emit-types.js";
import { emitValidators } from "./emit-validators.js";
import { membersPath, pathOf } from "./homes.js";
import type { SchemaIr } from "./ir.js";
import type { Manifest } from "./load.js";
import { gatesOf, understand } from "./understand.js";

/**
 * Writes files from the IR: names of files (`homes.ts` knows where each lives), with their text.
 *
 * `stable` is the stable schema of the same version; for a stable schema, itself.
 */
export type Emitter = (ir: SchemaIr, stable: SchemaIr | undefined) => Promise<Files> | Files;

/** File name → text. */
export type Files = ReadonlyMap<string, string>;

/**
 * Every emitter, in the order in which its files are listed. This is the plug-in point: an emitter reads the IR, knows
 * nothing of the others, and is added here.
 */
export const emitters: readonly Emitter[] = [
  async (ir, stable) => new Map([["types.gen.ts", await emitTypes(ir, stable)]]),
  (ir) => new Map([["guards.gen.ts", emitGuards(ir)]]),
  (ir, stable) => new Map([["methods.gen.ts", emitMethods(ir, gatesOf(ir), stable)]]),
  (ir) => new Map([["capabilities.gen.ts", emitCapabilities(ir, gatesOf(ir))]]),
  (ir) => new Map([["gates.gen.ts", emitGates(ir, gatesOf(ir))]]),
  (ir) => new Map([["error-codes.gen.ts", emitErrorCodes(ir)]]),
  (ir) => new Map([["decode.gen.ts", emitDecoders(ir)]]),
  emitValidators,
];

/**
 * The whole generation as a function: the bytes of the schema files in, the text of every generated file out. It reads
 * no clock, no environment and no disk, so the same bytes give the same text everywhere.
 *
 * @param schemas - the path below `schema/` (`v1/schema.json`) → bytes.
 * @throws {DecisionsError} when a person has to decide something first.
 * @returns the path below the repository → text, sorted by path.
 */
export async function generate(schemas: ReadonlyMap<string, Uint8Array>, manifest: Manifest): Promise<Files> {
  const decisions = new DecisionList();
  const irs = understand(schemas, manifest, decisions);
  decisions.throwIfAny();

  const files: [string, string][] = [];
  for (const ir of irs) {
    const stable = irs.find((other) => other.protocolVersion === ir.protocolVersion && !other.unstable);
    for (const emit of emitters) {
      const found = await attemptAsync(decisions, ir, () => emit(ir, stable));
      for (const [name, text] of found) files.push([pathOf(ir, name), text]);
    }
  }
  const [v1, v1Unstable] = ["v1", "v1-unstable"].map((id) => irs.find((ir) => ir.id === id));
  if (v1 !== undefined && v1Unstable !== undefined) files.push([membersPath, emitMembers(v1, v1Unstable)]);
  decisions.throwIfAny();
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function attemptAsync(decisions: DecisionList, ir: SchemaIr, emit: () => Promise<Files> | Files): Promise<Files> {
  try {
    return await emit();
  } catch (error) {
    decisions.attempt(ir.id, () => {
      throw error;
    });
    return new Map();
  }
}
