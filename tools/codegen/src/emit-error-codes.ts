import { header } from "./header.js";
import type { SchemaIr } from "./ir.js";
import { camelCase, pascalCase } from "./names.js";

/** Emits `error-codes.gen.ts`: the named codes of `ErrorCode`, as a constant and a type of the same name. */
export function emitErrorCodes(ir: SchemaIr): string {
  const node = ir.definitions.get("ErrorCode")?.node;
  if (node?.kind !== "enum") throw new Error(`${ir.id}: there is no enum "ErrorCode"`);
  const members = node.members.flatMap(({ value, title, doc }) => {
    if (title === undefined) throw new Error(`${ir.id}: the error code ${value} has no title to be named after`);
    const text = doc?.replaceAll("\n", " ") ?? title;
    return [`  /** ${text.replaceAll("*/", "*\\/")} */`, `  ${camelCase(pascalCase(title))}: ${value},`];
  });
  return [
    header(ir),
    "",
    'import type { ErrorCode as AnyErrorCode } from "./types.gen.js";',
    "",
    "/** The error codes that the protocol names. Others may arrive. */",
    "export const ErrorCode = {",
    ...members,
    "} as const;",
    "",
    "/** A code that may stand in an error: one that the protocol names, or any other. */",
    "export type ErrorCode = AnyErrorCode;",
    "",
  ].join("\n");
}
