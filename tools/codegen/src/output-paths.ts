import type { SchemaIr } from "./ir.js";

/**
 * The packages with generated code: `light` for types, decoders and tables of stable schemas, `full` for all other
 * parts, and `conformance` for tables of the conformance kit.
 */
const light = "packages/types/src/gen";
const full = "packages/schema/src/gen";
const conformance = "packages/conformance/src/gen";

/** The folders of generated code, relative to the repository. */
export const outputDirectories: readonly string[] = [light, full, conformance];

/** The path of the tables with which the conformance kit checks version 1. */
export const membersPath: string = `${conformance}/v1/members.gen.ts`;

/**
 * Whether a generated file is committed: types, decoders and tables of stable version 1, because people review them.
 * The build writes the other files, because they are long and not meant for reading (validators) or change with each
 * release of a draft (unstable parts, version 2). `.gitignore` lists these.
 */
export function isCommitted(path: string): boolean {
  return !/\/gen\/(v2|v2-unstable|v1-unstable)\//.test(path) && !/\/validat(e|ors)\.gen\./.test(path);
}

/**
 * Returns the path of a generated file. Types, decoders and tables of a stable schema belong to `@acp-kit/types`, which
 * every agent and client needs. Validators and unstable parts belong to `@acp-kit/schema`, which many applications do
 * not install.
 */
export function pathOf(ir: SchemaIr, name: string): string {
  return `${isLight(ir, name) ? light : full}/${ir.id}/${name}`;
}

/** Returns the specifier from which code generated from `ir` imports a part of the decoders' runtime. */
export function runtimeOf(ir: SchemaIr, module: string): string {
  return ir.unstable ? "@acp-kit/types/internal" : `../../runtime/${module}.js`;
}

/** Returns the specifier from which the generated file `name` imports the types of its schema. */
export function typesOf(ir: SchemaIr, name: string): string {
  return ir.unstable || isLight(ir, name) ? "./types.gen.js" : stableTypes(ir);
}

/** Returns the specifier from which an unstable schema imports the types of the stable schema. */
export function stableTypes({ protocolVersion }: SchemaIr): string {
  return protocolVersion === 1 ? "@acp-kit/types" : `@acp-kit/types/v${protocolVersion}`;
}

function isLight(ir: SchemaIr, name: string): boolean {
  return !ir.unstable && !name.startsWith("validat");
}
