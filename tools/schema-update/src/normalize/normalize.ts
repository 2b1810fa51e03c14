import { compose, type Lookup } from "./compose.js";
import { isObject, withoutWords } from "./json.js";
import { isNote } from "./keywords.js";
import { ownBranches } from "./own-branches.js";
import { anything, type Branch, type Shape, shapeOf } from "./shape.js";
import { unionBranches } from "./union-branches.js";

/**
 * Converts a schema to its {@link Shape}.
 *
 * @param nameOf - returns the definition that a `$ref` names; `undefined` if it points outside the document.
 */
export function normalize(schema: unknown, lookup: Lookup, nameOf: (ref: string) => string | undefined): Shape {
  if (schema === false) return { ...anything, branches: [] };
  if (!isObject(schema)) return anything;
  const recurse = (inner: unknown): Shape => normalize(inner, lookup, nameOf);

  const pieces: Shape[] = [];
  const own = ownBranches(schema, recurse);
  if (own !== undefined) pieces.push({ ...anything, branches: own });
  if (typeof schema.$ref === "string") {
    const name = nameOf(schema.$ref);
    pieces.push(shapeOf(name === undefined ? { kind: "opaque", json: { $ref: schema.$ref } } : { kind: "ref", name }));
  }
  for (const element of list(schema.allOf)) pieces.push(recurse(element));
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const elements = list(schema[keyword]).map(recurse);
    if (elements.length === 1) pieces.push(...elements);
    else if (elements.length > 1) pieces.push({ ...anything, branches: unionBranches(elements, keyword), keyword });
  }

  const inherited = pieces.length === 1 ? pieces[0] : undefined;
  const { branches, keyword } = compose(pieces, lookup);
  return {
    branches: "not" in schema ? excluding(branches, schema.not) : branches,
    keyword,
    doc: text(schema.description) ?? inherited?.doc,
    title: text(schema.title) ?? inherited?.title,
    notes: new Map([...(inherited?.notes ?? []), ...Object.entries(schema).filter(([name]) => isNote(name))]),
  };
}

/** Applies `not`: a list of tags that a catch-all does not match, or a constraint that is compared for equality. */
function excluding(branches: readonly Branch[], not: unknown): readonly Branch[] {
  const reserved = reservedTags(not);
  return branches.map((branch): Branch => {
    switch (branch.kind) {
      case "object":
        if (reserved !== undefined) return { ...branch, reserved };
        return { ...branch, constraints: new Map([...branch.constraints, ["not", withoutWords(not)]]) };
      case "string":
      case "integer":
      case "number":
        if (branch.rest === undefined) return branch;
        return { ...branch, rest: new Map([...branch.rest, ["not", withoutWords(not)]]) };
      default:
        return { kind: "opaque", json: { branch: branch.kind, not: withoutWords(not) } };
    }
  });
}

function reservedTags(not: unknown): { tag: string; values: ReadonlySet<string> } | undefined {
  if (!isObject(not)) return undefined;
  const found = (Array.isArray(not.anyOf) ? not.anyOf : [not]).map(tagOf);
  const tag = found[0]?.tag;
  if (tag === undefined || found.some((one) => one?.tag !== tag)) return undefined;
  return { tag, values: new Set(found.flatMap((one) => one?.values ?? [])) };
}

function tagOf(schema: unknown): { tag: string; values: readonly string[] } | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const [entry, ...more] = Object.entries(schema.properties);
  if (entry === undefined || more.length > 0 || !isObject(entry[1])) return undefined;
  const values = "const" in entry[1] ? [entry[1].const] : list(entry[1].enum);
  return values.length > 0 && values.every((value): value is string => typeof value === "string")
    ? { tag: entry[0], values }
    : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
