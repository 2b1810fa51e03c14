import { compile } from "json-schema-to-typescript";
import type { Declaration } from "./lower.js";

/**
 * Prints one declaration with json-schema-to-typescript.
 *
 * Declarations are printed one at a time. For a whole document, the printer loses the order, duplicates types that are
 * referenced twice (`Foo1`) and annotates every type with its references.
 */
export async function printDeclaration({ name, schema }: Declaration): Promise<string> {
  const text = await compile(schema, name, {
    additionalProperties: false,
    bannerComment: "",
    declareExternallyReferenced: false,
    ignoreMinAndMaxItems: true,
    style: { bracketSpacing: true, printWidth: 120 },
    unknownAny: true,
  });
  return withShortComments(text.trimEnd());
}

/** The maximum length of a line with a comment. */
export const MAX_LINE = 140;

/**
 * Writes one-line comments on one line, because declarations are installed with every agent.
 * json-schema-to-typescript always writes three lines, whatever the description is, and the formatter keeps them.
 */
export function withShortComments(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const short = shortComment(lines.slice(at, at + 3));
    kept.push(short ?? (lines[at] as string));
    if (short !== undefined) at += 2;
  }
  return kept.join("\n");
}

/** Joins `/**`, one line and the end to one line. `undefined` for other comments, or if the line would be too long. */
function shortComment([begin = "", line = "", end = ""]: readonly string[]): string | undefined {
  const indent = begin.slice(0, begin.indexOf("/**"));
  const isShort = begin === `${indent}/**` && line.startsWith(`${indent} * `) && end === `${indent} */`;
  const text = `${indent}/** ${line.slice(indent.length + " * ".length)} */`;
  return isShort && text.length <= MAX_LINE ? text : undefined;
}
