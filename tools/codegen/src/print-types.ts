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
  return text.trimEnd();
}
