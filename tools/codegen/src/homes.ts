import type { SchemaIr } from "./ir.js";

/** The packages that generated code lives in: what is stable and light, everything else, and tables for the conformance kit alone. */
const light = "packages/types/src/gen";
const full = "packages/schema/src/gen";
const conformance = "packages/conformance/src/gen";

/** Where generated code lives, relative to the repository. */
export const outputDirectories: readonly string[] = [light, full, conformance];

/** The path of the tables of the conformance kit, which it checks version 1 with. */
export const membersPath: string = `${conformance}/v1/members.gen.ts`;

/**
 * Whether a generated file is committed, for people to review: types, decoders and tables of version 1. The build writes the rest, which is
 * long and not meant to be read (validators), or changes with each release of a draft (version 2). `.gitignore` lists the same files.
 */
export function isCommitted(path: string): boolean {
  return !/\/gen\/v2(-unstable)?\//.test(path) && !/\/validat(e|ors)\.gen\./.test(path);
}

/**
 * The path of a generated file. Types, decoders and tables of a stable schema belong to `@acp-kit/types`, which everything
 * that runs is built on; validators and whatever is unstable to `@acp-kit/schema`, which many never install.
 */
export function pathOf(ir: SchemaIr, name: string): string {
  return `${isLight(ir, name) ? light : full}/${ir.id}/${name}`;
}

/** What code that is generated from `ir` imports a part of the decoders' runtime from. */
export function runtimeOf(ir: SchemaIr, module: string): string {
  return ir.unstable ? "@acp-kit/types/internal" : `../../runtime/${module}.js`;
}

/** What the generated file `name` imports the types of its schema from. */
export function typesOf(ir: SchemaIr, name: string): string {
  return ir.unstable || isLight(ir, name) ? "./types.gen.js" : stableTypes(ir);
}

/** What an unstable schema imports the types of its stable twin from. */
export function stableTypes({ protocolVersion }: SchemaIr): string {
  return protocolVersion === 1 ? "@acp-kit/types" : `@acp-kit/types/v${protocolVersion}`;
}

function isLight(ir: SchemaIr, name: string): boolean {
  return !ir.unstable && !name.startsWith("validat");
}
