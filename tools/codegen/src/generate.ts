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
import type { SchemaIr } from "./ir.js";
import type { Manifest } from "./load.js";
import { membersPath, pathOf } from "./output-paths.js";
import { gatesOf, understand } from "./understand.js";

/**
 * A function that generates files from the IR. It returns the text of each file by its name; `output-paths.ts` converts
 * names to paths.
 *
 * `stable` is the stable schema of the same version. For a stable schema, it is the schema itself.
 */
export type Emitter = (ir: SchemaIr, stable: SchemaIr | undefined) => Promise<Files> | Files;

/** The text of each file, by its name. */
export type Files = ReadonlyMap<string, string>;

/**
 * Every emitter by the name of its file (or of its first file, which is wanted if the others are), in the order of the
 * files. To add an output, add an emitter here. An emitter reads only the IR.
 */
export const emitters: Readonly<Record<string, Emitter>> = {
  "types.gen.ts": async (ir, stable) => new Map([["types.gen.ts", await emitTypes(ir, stable)]]),
  "guards.gen.ts": (ir) => new Map([["guards.gen.ts", emitGuards(ir)]]),
  "methods.gen.ts": (ir, stable) => new Map([["methods.gen.ts", emitMethods(ir, gatesOf(ir), stable)]]),
  "capabilities.gen.ts": (ir) => new Map([["capabilities.gen.ts", emitCapabilities(ir, gatesOf(ir))]]),
  "gates.gen.ts": (ir) => new Map([["gates.gen.ts", emitGates(ir, gatesOf(ir))]]),
  "error-codes.gen.ts": (ir) => new Map([["error-codes.gen.ts", emitErrorCodes(ir)]]),
  "decode.gen.ts": (ir) => new Map([["decode.gen.ts", emitDecoders(ir)]]),
  "validate.gen.js": emitValidators,
};

/**
 * Generates every file from the bytes of the schema files. The function is pure: the same bytes give the same text
 * everywhere.
 *
 * @param schemas - the path below `schema/` (`v1/schema.json`) → bytes.
 * @param isWanted - which files to generate, by their paths. Default: every file.
 * @throws {DecisionsError} when a person must decide something first.
 * @returns the path below the repository → text, sorted by path.
 */
export async function generate(
  schemas: ReadonlyMap<string, Uint8Array>,
  manifest: Manifest,
  isWanted: (path: string) => boolean = () => true,
): Promise<Files> {
  const decisions = new DecisionList();
  const irs = understand(schemas, manifest, decisions);
  decisions.throwIfAny();

  const files: [string, string][] = [];
  for (const ir of irs) {
    const stable = irs.find((other) => other.protocolVersion === ir.protocolVersion && !other.unstable);
    for (const [file, emit] of Object.entries(emitters)) {
      if (!isWanted(pathOf(ir, file))) continue;
      const found = await attemptAsync(decisions, ir, () => emit(ir, stable));
      for (const [name, text] of found) files.push([pathOf(ir, name), text]);
    }
  }
  const [v1, v1Unstable] = ["v1", "v1-unstable"].map((id) => irs.find((ir) => ir.id === id));
  if (v1 !== undefined && v1Unstable !== undefined && isWanted(membersPath))
    decisions.attempt(v1.id, () => files.push([membersPath, emitMembers(v1, v1Unstable)]));
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
