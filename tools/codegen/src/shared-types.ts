import type { JSONSchema } from "json-schema-to-typescript";
import type { Declaration } from "./lower.js";

/** A declaration with its printed text. */
export interface PrintedDeclaration extends Declaration {
  readonly text: string;
}

/**
 * Returns the names of the types that two schemas share. A type is shared if its printed text, including documentation,
 * is the same in both, and it mentions only shared types. Links may differ between pages of a draft and pages of a
 * version. One file re-exports shared types from the other, so that an unchanged type is one type and is published
 * once.
 */
export function sharedTypes(
  own: readonly PrintedDeclaration[],
  other: readonly PrintedDeclaration[],
): ReadonlySet<string> {
  const texts = new Map(other.map(({ name, text }) => [name, withoutDraft(text)]));
  const declared = new Set(own.map(({ name }) => name));
  const shared = new Map(
    own
      .filter(({ name, text }) => texts.get(name) === withoutDraft(text))
      .map((declaration) => [declaration.name, mentionedBy(declaration, declared)]),
  );
  // A type that mentions a type that isn't shared is not shared. The loop repeats until nothing changes.
  for (let before = -1; before !== shared.size; ) {
    before = shared.size;
    for (const [name, mentioned] of shared) {
      if (mentioned.some((other) => !shared.has(other))) shared.delete(name);
    }
  }
  return new Set(shared.keys());
}

// An unstable schema links to `…/protocol/v2/draft/…` where the stable schema links to `…/protocol/v2/…`.
const withoutDraft = (text: string) => text.replaceAll(/(\/protocol\/v\d+)\/draft\//g, "$1/");

/** Returns the declared types that a declaration mentions. */
export function mentionedBy({ schema }: Declaration, declared: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  collect(schema, names);
  return [...names].filter((name) => declared.has(name));
}

// A reference is a `tsType` (see `Lowering`), in which strings are not names, or the title of a stub that an interface
// extends.
function collect(schema: JSONSchema, names: Set<string>): void {
  for (const [key, value] of Object.entries(schema)) {
    if (key === "tsType" && typeof value === "string") {
      for (const [name] of value.replaceAll(/"[^"]*"/g, "").matchAll(/[A-Za-z_]\w*/g)) names.add(name);
    } else if (key === "extends") {
      for (const { title } of value as readonly JSONSchema[]) names.add(title ?? "");
    } else if (typeof value === "object" && value !== null) {
      collect(value as JSONSchema, names);
    }
  }
}
