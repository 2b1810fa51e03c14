import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildIr } from "@acp-kit/codegen/build-ir";
import type { SchemaIr } from "@acp-kit/codegen/ir";
import { loadSchema, schemaDirectory } from "@acp-kit/codegen/load";
import * as v1 from "@acp-kit/schema/decode";
import * as v1Unstable from "@acp-kit/schema/unstable/decode";
import * as v1UnstableValidate from "@acp-kit/schema/unstable/validate";
import * as v2 from "@acp-kit/schema/v2/decode";
import * as v2Unstable from "@acp-kit/schema/v2/unstable/decode";
import * as v2UnstableValidate from "@acp-kit/schema/v2/unstable/validate";
import * as v2Validate from "@acp-kit/schema/v2/validate";
import * as v1Validate from "@acp-kit/schema/validate";

/** One of the four schemas, with its IR, its decoders, its validators and the SDK's zod schemas. */
export interface Subject {
  readonly id: string;
  readonly ir: SchemaIr;
  /** The parsed schema file. */
  readonly document: { readonly $defs: Readonly<Record<string, object>> };
  /** The exports of `@acp-kit/schema` for this schema. */
  readonly decoders: Readonly<Record<string, unknown>>;
  readonly validators: Readonly<Record<string, unknown>>;
  /** Loads the official SDK's zod schemas by path, because the SDK does not export them. */
  readonly zod: () => Promise<Readonly<Record<string, ZodType>>>;
}

/** The part of a zod schema that these tests use. */
export interface ZodType {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { issues: unknown } };
}

const sdk = fileURLToPath(new URL("../..", import.meta.resolve("@agentclientprotocol/sdk")));

function subject(path: string, zod: string, decoders: object, validators: object): Subject {
  const file = join(schemaDirectory, path);
  const ir = buildIr(loadSchema(file));
  return {
    id: ir.id,
    ir,
    document: JSON.parse(readFileSync(file, "utf8")),
    decoders: decoders as Subject["decoders"],
    validators: validators as Subject["validators"],
    zod: () => import(pathToFileURL(join(sdk, zod, "zod.gen.js")).href),
  };
}

export const subjects: readonly Subject[] = [
  subject("v1/schema.json", "v1/schema", v1, v1Validate),
  subject("v1/schema.unstable.json", "v1/unstable/schema", v1Unstable, v1UnstableValidate),
  subject("v2/schema.json", "v2/schema", v2, v2Validate),
  subject("v2/schema.unstable.json", "v2/unstable/schema", v2Unstable, v2UnstableValidate),
];
