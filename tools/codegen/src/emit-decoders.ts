import { openDefinitions } from "./direction.js";
import { formOf } from "./emit-decoders-form.js";
import { type DecoderMode, DecoderModule } from "./emit-decoders-module.js";
import { header } from "./header.js";
import type { Method, SchemaIr } from "./ir.js";
import { Names } from "./names.js";
import { runtimeOf } from "./output-paths.js";

/** The options for the decoders of the product. */
export const receiving: DecoderMode = { recover: true, openUnions: true };

/** Emits `decode.gen.ts`: a decoder for every params and result type, and tables of what each side receives. */
export function emitDecoders(ir: SchemaIr, mode: DecoderMode = receiving): string {
  const module = new DecoderModule(ir, mode, formOf);
  const open = openDefinitions(ir);
  const names = new Names(ir);
  const typeOf = (definition: string) => (open.has(definition) ? names.incoming(definition) : definition);
  const roots = decoderRoots(ir);
  const decoders = roots.map(({ definition, absence }) => {
    const check = module.asCheck(module.definition(definition), definition);
    const mode = absence === "exact" ? "" : `, "${absence}"`;
    return (
      `/** Decodes ${wanted(typeOf(definition))}. */\n` +
      `export const decode${definition}: Decoder<${typeOf(definition)}> = /* @__PURE__ */ decoder(${check}${mode});`
    );
  });
  const tables = (["agent", "client"] as const).map((side) => table(ir, side));
  const types = roots.map(({ definition }) => typeOf(definition)).sort();
  return [
    header(ir),
    "",
    `import { type Decoder, decoder, decoderTable } from "${runtimeOf(ir, "decoder")}";`,
    `import { ${module.imports.join(", ")} } from "${runtimeOf(ir, "checks")}";`,
    `import type { ${types.join(", ")} } from "./types.gen.js";`,
    "",
    ...module.checks,
    "",
    ...decoders,
    "",
    ...tables,
  ].join("\n");
}

/** Emits the same checks with every definition as a root, for tests. It exports `checks`, by definition. */
export function emitChecks(ir: SchemaIr, mode: DecoderMode): string {
  const module = new DecoderModule(ir, mode, formOf);
  const entries = [...ir.definitions.keys()].map(
    (name) => `  ${JSON.stringify(name)}: ${module.asCheck(module.definition(name), name)},`,
  );
  module.use("type Check");
  return [
    `import { ${module.imports.join(", ")} } from "../../runtime/checks.js";`,
    "",
    ...module.checks,
    `export const checks: Record<string, Check> = {\n${entries.join("\n")}\n};\n`,
  ].join("\n");
}

/** A definition for which a decoder is exported. */
export interface DecoderRoot {
  readonly definition: string;
  /** How the decoder treats `undefined` or `null` instead of the params or result; see the runtime's `Absence`. */
  readonly absence: "params" | "empty-result" | "exact";
}

/** Returns the params and results of all methods, by name. */
export function decoderRoots(ir: SchemaIr): readonly DecoderRoot[] {
  const roots = new Map<string, DecoderRoot>();
  for (const { params, result } of ir.methods) {
    roots.set(params, { definition: params, absence: "params" });
    if (result !== undefined && !roots.has(result)) {
      roots.set(result, { definition: result, absence: hasNoRequiredMember(ir, result) ? "empty-result" : "exact" });
    }
  }
  return [...roots.values()].sort((a, b) => (a.definition < b.definition ? -1 : 1));
}

/** Returns the methods whose params a side receives, and the methods whose results it receives. */
export function received(ir: SchemaIr, side: "agent" | "client"): { params: Method[]; results: Method[] } {
  const other = side === "agent" ? "client" : "agent";
  return {
    params: ir.methods.filter((method) => method.side === side || method.side === "protocol"),
    results: ir.methods.filter(
      (method) => method.kind === "request" && (method.side === other || method.side === "protocol"),
    ),
  };
}

function table(ir: SchemaIr, side: "agent" | "client"): string {
  const { params, results } = received(ir, side);
  const parts = {
    params: params.map((method) => [method.name, method.params] as const),
    results: results.map((method) => [method.name, method.result ?? ""] as const),
  };
  const type = Object.entries(parts).map(
    ([part, entries]) =>
      `  readonly ${part}: {\n${entries.map(([name, of]) => `    readonly ${JSON.stringify(name)}: typeof decode${of};\n`).join("")}  };\n`,
  );
  const value = Object.values(parts).map(
    (entries) => `  {\n${entries.map(([name, of]) => `    ${JSON.stringify(name)}: decode${of},\n`).join("")}  },\n`,
  );
  return (
    `/** The decoders of what an ${side === "agent" ? "agent" : "ACP client"} receives, by method. */\n` +
    `export const ${side}Decoders: {\n${type.join("")}} = /* @__PURE__ */ decoderTable(\n${value.join("")});\n`
  );
}

function hasNoRequiredMember(ir: SchemaIr, name: string): boolean {
  const node = ir.definitions.get(name)?.node;
  if (node?.kind === "ref") return hasNoRequiredMember(ir, node.name);
  return node?.kind === "object" && node.flattened === undefined && !node.properties.some(({ required }) => required);
}

function wanted(type: string): string {
  return /^[AEIOU]/.test(type) ? `an ${type}` : `a ${type}`;
}
