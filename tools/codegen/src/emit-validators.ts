import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { decoderRoots, received } from "./emit-decoders.js";
import { ajvKeywords, ajvVocabulary, formats } from "./emit-validators-keywords.js";
import { toAjvSchema } from "./emit-validators-schema.js";
import { header } from "./header.js";
import type { Method, SchemaIr } from "./ir.js";
import { typesOf } from "./output-paths.js";

/**
 * Emits the validators of sent messages. `validate.gen.js` is ajv's output, with declarations; `validators.gen.ts`
 * gives each function its type and makes it a Standard Schema.
 */
export function emitValidators(ir: SchemaIr): ReadonlyMap<string, string> {
  const roots = decoderRoots(ir).map(({ definition }) => definition);
  return new Map([
    ["validate.gen.js", compiled(ir, roots)],
    ["validate.gen.d.ts", declarations(ir, roots)],
    ["validators.gen.ts", typed(ir, roots)],
  ]);
}

function compiled(ir: SchemaIr, roots: readonly string[]): string {
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    inlineRefs: false,
    // The runtime creates the error messages, because ajv's messages would be a third of the code.
    messages: false,
    code: { esm: true, source: true, lines: true, optimize: 2 },
    keywords: [...ajvVocabulary],
  });
  for (const keyword of ajvKeywords) ajv.addKeyword(keyword);
  ajv.addSchema(toAjvSchema(ir, "acp"));
  const references = Object.fromEntries(roots.map((name) => [name, `acp#/definitions/${name}`]));
  const code = standalone.default(ajv, references);
  if (/\brequire\(/.test(code)) throw new Error(`${ir.id}: ajv emitted a call of require, which ES modules don't have`);
  const used = Object.values(formats).filter((name) => code.includes(`${name}(`));
  return [
    header(ir),
    "/* eslint-disable */",
    ...(used.length === 0 ? [] : [`import { ${used.join(", ")} } from "@acp-kit/types/internal";`]),
    code.trimEnd(),
    "",
  ].join("\n");
}

function declarations(ir: SchemaIr, roots: readonly string[]): string {
  return [
    header(ir),
    `import type { AjvValidate } from "../../runtime/validator.js";`,
    "",
    ...roots.map((name) => `export declare const ${name}: AjvValidate;`),
    "",
  ].join("\n");
}

function typed(ir: SchemaIr, roots: readonly string[]): string {
  return [
    header(ir),
    "",
    `import { type Validator, validator, validatorTable } from "../../runtime/validator.js";`,
    `import type { ${roots.join(", ")} } from "${typesOf(ir, "validators.gen.ts")}";`,
    `import * as ajv from "./validate.gen.js";`,
    "",
    ...roots.map(
      (name) =>
        `/** Reports where a value violates the schema of {@link ${name}}. */\n` +
        `export const validate${name}: Validator<${name}> = /* @__PURE__ */ validator(ajv.${name});\n`,
    ),
    ...(["agent", "client"] as const).map((side) => table(ir, side)),
  ].join("\n");
}

/** Returns the table of one side: its validators are for the messages that the other side receives. */
function table(ir: SchemaIr, side: "agent" | "client"): string {
  const { params, results } = received(ir, side === "agent" ? "client" : "agent");
  const parts = [
    ["params", params, (method: Method) => method.params],
    ["results", results, (method: Method) => method.result ?? ""],
  ] as const;
  const entries = (
    methods: readonly Method[],
    of: (method: Method) => string,
    write: (name: string, of: string) => string,
  ) => methods.map((method) => write(JSON.stringify(method.name), of(method))).join("");
  const type = parts.map(
    ([part, methods, of]) =>
      `  readonly ${part}: {\n${entries(methods, of, (name, definition) => `    readonly ${name}: typeof validate${definition};\n`)}  };\n`,
  );
  const value = parts.map(
    ([, methods, of]) =>
      `  {\n${entries(methods, of, (name, definition) => `    ${name}: validate${definition},\n`)}  },\n`,
  );
  return (
    `/** The validators of what an ${side === "agent" ? "agent" : "ACP client"} sends, by method. */\n` +
    `export const ${side}Validators: {\n${type.join("")}} = /* @__PURE__ */ validatorTable(\n${value.join("")});\n`
  );
}
