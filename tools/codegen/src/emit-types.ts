import { declare } from "./declare.js";
import { openDefinitions } from "./direction.js";
import { header } from "./header.js";
import type { SchemaIr } from "./ir.js";
import { Lowering } from "./lower.js";
import { taggedOf } from "./names.js";
import { printDeclaration } from "./print-types.js";
import { sortedDefinitions } from "./sorted.js";

/** `types.gen.ts`: every definition as a type, sorted by name, each followed by its receiving form where that differs. */
export async function emitTypes(ir: SchemaIr): Promise<string> {
  const lowering = new Lowering(ir, openDefinitions(ir));
  const declarations = [
    ...lowering.meta.declarations(),
    ...sortedDefinitions(ir).flatMap((definition) => declare(definition, lowering)),
  ];
  const twice = declarations.find(
    ({ name }, index) => declarations.findIndex((other) => other.name === name) !== index,
  );
  if (twice !== undefined) throw new Error(`${ir.id}: two types would be called "${twice.name}"`);
  const printed: string[] = [];
  for (const declaration of declarations) printed.push(await printDeclaration(declaration));
  const open = [...ir.definitions.values()].some(({ node }) => taggedOf(node) !== undefined);
  const imports = open ? ['import type { UnknownVariant } from "../../runtime/unknown-variant.js";'] : [];
  return [header(ir), ...imports, ...printed].join("\n\n").concat("\n");
}
