import { compile } from "json-schema-to-typescript";
import type { Declaration } from "./lower.js";

/**
 * Prints one declaration with json-schema-to-typescript.
 *
 * It gets one declaration at a time: printing whole documents loses the order, duplicates what is referenced twice
 * (`Foo1`) and annotates every type with who refers to it.
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

/** The longest line that a comment may make. */
const MAX_LINE = 140;

/** Writes comments of one line on one line: the declarations are installed with every agent. */
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

/** `/**`, one line and the end, as one line; `undefined` for anything else, or if it becomes too long. */
function shortComment([begin = "", line = "", end = ""]: readonly string[]): string | undefined {
  const indent = begin.slice(0, begin.indexOf("/**"));
  const isShort = begin === `${indent}/**` && line.startsWith(`${indent} * `) && end === `${indent} */`;
  const text = `${indent}/** ${line.slice(indent.length + " * ".length)} */`;
  return isShort && text.length <= MAX_LINE ? text : undefined;
}
