import { declare } from "./declare.js";
import { openDefinitions } from "./direction.js";
import { header } from "./header.js";
import type { SchemaIr } from "./ir.js";
import { type Declaration, Lowering } from "./lower.js";
import { taggedOf } from "./names.js";
import { runtimeOf, stableTypes } from "./output-paths.js";
import { printDeclaration } from "./print-types.js";
import { mentionedBy, type PrintedDeclaration, sharedTypes } from "./shared-types.js";
import { sortedDefinitions } from "./sorted.js";

/**
 * Emits `types.gen.ts`: every definition as a type, sorted by name, each followed by its receiving form if that
 * differs. Types that are the same in the stable schema are re-exported from there.
 */
export async function emitTypes(ir: SchemaIr, stable: SchemaIr | undefined): Promise<string> {
  const all = await printedTypes(ir, stable ?? ir);
  if (stable === undefined || stable === ir) return [...preamble(ir), ...texts(all)].join("\n\n").concat("\n");

  const shared = sharedTypes(all, await printedTypes(stable, stable));
  const own = all.filter(({ name }) => !shared.has(name));
  const declared = new Set(all.map(({ name }) => name));
  const needed = new Set(own.flatMap((declaration) => mentionedBy(declaration, declared)));
  const from = `from "${stableTypes(stable)}";`;
  const names = all.map(({ name }) => name).filter((name) => shared.has(name));
  const lists = [
    ...list(
      "import type",
      names.filter((name) => needed.has(name)),
      from,
    ),
    ...list("// The same in the stable schema.\nexport type", names, from),
  ];
  return [...preamble(ir), ...lists, ...texts(own)].join("\n\n").concat("\n");
}

/**
 * The printed declarations of a protocol version, by their JSON. They are cached, because printing is the slowest step,
 * and most types are the same in the stable and the unstable schema.
 */
const printedTexts = new WeakMap<SchemaIr, Map<string, string>>();

/** Returns the text of a declaration, which is printed once for the stable and the unstable schema of a version. */
async function textOf(declaration: Declaration, stable: SchemaIr): Promise<string> {
  const known = printedTexts.get(stable) ?? new Map<string, string>();
  printedTexts.set(stable, known);
  const key = JSON.stringify([declaration.name, declaration.schema]);
  const text = known.get(key) ?? (await printDeclaration(declaration));
  known.set(key, text);
  return text;
}

/** Returns every type of a schema, in the order of the file. */
async function printedTypes(ir: SchemaIr, stable: SchemaIr): Promise<PrintedDeclaration[]> {
  const lowering = new Lowering(ir, openDefinitions(ir));
  const declarations = [
    ...lowering.meta.declarations(),
    ...sortedDefinitions(ir).flatMap((definition) => declare(definition, lowering)),
  ];
  const twice = declarations.find(
    ({ name }, index) => declarations.findIndex((other) => other.name === name) !== index,
  );
  if (twice !== undefined) throw new Error(`${ir.id}: two types would be called "${twice.name}"`);
  const printed: PrintedDeclaration[] = [];
  for (const declaration of declarations) printed.push({ ...declaration, text: await textOf(declaration, stable) });
  return printed;
}

function preamble(ir: SchemaIr): string[] {
  const open = [...ir.definitions.values()].some(({ node }) => taggedOf(node) !== undefined);
  return [header(ir), ...(open ? [`import type { UnknownVariant } from "${runtimeOf(ir, "unknown-variant")}";`] : [])];
}

const texts = (declarations: readonly PrintedDeclaration[]) => declarations.map(({ text }) => text);

const list = (keyword: string, names: readonly string[], from: string) =>
  names.length === 0 ? [] : [`${keyword} {\n${names.map((name) => `  ${name},\n`).join("")}} ${from}`];
