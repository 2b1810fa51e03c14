import { fileURLToPath } from "node:url";
import { emitChecks } from "@acp-kit/codegen/emit-decoders";
import type { DecoderMode } from "@acp-kit/codegen/emit-decoders-module";
import type { SchemaIr } from "@acp-kit/codegen/ir";
import type { Decoder } from "@acp-kit/schema/decode";
import { build } from "esbuild";

const generated = fileURLToPath(new URL("../../../packages/types/src/gen/v1/", import.meta.url));

/**
 * Emits decoders for every definition in a mode that may differ from the product's, and loads them without writing a
 * file.
 */
export async function compileChecks(ir: SchemaIr, mode: DecoderMode): Promise<ReadonlyMap<string, Decoder<unknown>>> {
  const contents = `${emitChecks(ir, mode)}\nexport { decoder } from "../../runtime/decoder.js";\n`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: generated, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const module = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  return new Map(Object.entries(module.checks).map(([name, check]) => [name, module.decoder(check)]));
}

/**
 * The mode of the product; the plain schema; and, to compare with the official SDK, the schema's recovery rules without
 * open unions.
 */
export const modes = {
  product: { recover: true, openUnions: true },
  strict: { recover: false, openUnions: false },
  closed: { recover: true, openUnions: false },
} as const satisfies Readonly<Record<string, DecoderMode>>;
