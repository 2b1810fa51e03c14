import { header } from "./header.js";
import type { Definition, SchemaIr, TaggedNode } from "./ir.js";
import { camelCase, isIdentifier, Names, taggedOf } from "./names.js";
import { sortedDefinitions } from "./sorted.js";

/** Emits `guards.gen.ts`: a guard for each tagged union. After the guard, a `switch` can be exhaustive. */
export function emitGuards(ir: SchemaIr): string {
  const names = new Names(ir);
  const unions = sortedDefinitions(ir).flatMap((definition) => {
    const tagged = taggedOf(definition.node);
    return tagged === undefined ? [] : [{ definition, tagged }];
  });
  const imported = unions
    .flatMap(({ definition }) => [names.incoming(definition.name), names.known(definition.name)])
    .sort();
  return [
    header(ir),
    "",
    "import type {",
    ...imported.map((name) => `  ${name},`),
    '} from "./types.gen.js";',
    ...unions.flatMap(({ definition, tagged }) => guard(definition, tagged, names)),
    "",
  ].join("\n");
}

function guard({ name }: Definition, tagged: TaggedNode, names: Names): string[] {
  const tags = `${camelCase(name)}Tags`;
  return [
    "",
    `const ${tags}: ReadonlySet<unknown> = /* @__PURE__ */ new Set([${knownTags(tagged).join(", ")}]);`,
    "",
    `/** Whether this version of the schema knows the variant, so that a \`switch\` on \`${tagged.tag}\` can be exhaustive. */`,
    `export function ${names.guard(name)}(value: ${names.incoming(name)}): value is ${names.known(name)} {`,
    `  return ${tags}.has(value${isIdentifier(tagged.tag) ? `.${tagged.tag}` : `[${JSON.stringify(tagged.tag)}]`});`,
    "}",
  ];
}

/**
 * Returns the tags that the guard knows. A branch without the tag is recognised if the tag is absent, or if the tag is
 * the title of the branch, which other versions use as the tag. If the schema has a catch-all, every other tag belongs
 * to the catch-all.
 */
function knownTags({ tag, variants, untagged, other }: TaggedNode): string[] {
  const tags = variants.map((variant) => JSON.stringify(variant.value));
  if (untagged.length === 0) return tags;
  const titles = untagged.flatMap(({ node, title }) =>
    other !== undefined || (node.kind === "object" && node.properties.some((property) => property.name === tag))
      ? []
      : [JSON.stringify(title)],
  );
  return [...tags, ...titles, "undefined", "null"];
}
