import { isObject, type JsonObject } from "./json.js";
import { type Method, methodsOf } from "./methods.js";
import { normalize } from "./normalize.js";
import type { Branch, Shape } from "./shape.js";
import { type UnknownKeyword, unknownKeywords } from "./unknown-keywords.js";

/** A schema file, normalised for a comparison. */
export interface Model {
  readonly document: JsonObject;
  readonly names: readonly string[];
  /** Returns the shape of a definition; `undefined` if the name is not defined. */
  readonly shape: (name: string) => Shape | undefined;
  readonly methods: readonly Method[];
  /** Whether there was a `meta.json` beside the file. */
  readonly hasMeta: boolean;
  /** Returns whether a definition is a JSON-RPC envelope or a placeholder for extensions. Such definitions are not payloads. */
  readonly isEnvelope: (name: string) => boolean;
  readonly unknownKeywords: readonly UnknownKeyword[];
  /** Converts a schema that is not in `$defs` to a shape. */
  readonly normalize: (schema: unknown) => Shape;
}

/**
 * Reads a parsed schema file. A shape is computed on first use.
 *
 * @param meta - the `meta.json` beside the file, which names the methods.
 */
export function createModel(document: JsonObject, meta?: JsonObject): Model {
  const definitions = definitionsOf(document);
  const shapes = new Map<string, Shape>();
  const pending = new Set<string>();

  // A definition may be called `constructor`, so inherited members don't count.
  const rawOf = (name: string): unknown => {
    if (name.startsWith("#")) return resolvePointer(document, name);
    return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  };
  const nameOf = (ref: string): string | undefined => {
    const match = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref);
    if (match?.[1] !== undefined) return decodeURIComponent(match[1]).replaceAll("~1", "/").replaceAll("~0", "~");
    return ref.startsWith("#") ? ref : undefined;
  };
  const shape = (name: string): Shape | undefined => {
    const known = shapes.get(name);
    if (known !== undefined || pending.has(name)) return known;
    const raw = rawOf(name);
    if (raw === undefined) return undefined;
    pending.add(name);
    const found = normalize(raw, shape, nameOf);
    pending.delete(name);
    shapes.set(name, found);
    return found;
  };

  return {
    document,
    names: Object.keys(definitions),
    shape,
    methods: methodsOf(definitions, meta),
    hasMeta: meta !== undefined,
    isEnvelope: (name) => {
      const raw = rawOf(name);
      return /^Ext(Request|Response|Notification)$/.test(name) || (isObject(raw) && raw["x-docs-ignore"] === true);
    },
    unknownKeywords: unknownKeywords(document),
    normalize: (schema) => normalize(schema, shape, nameOf),
  };
}

/** Returns `$defs`, or `definitions`, as drafts before 2019-09 call it. */
export function definitionsOf(document: JsonObject): JsonObject {
  const definitions = document.$defs ?? document.definitions;
  return isObject(definitions) ? definitions : {};
}

/** Returns the names that a shape mentions, without following them. */
export function referencesOf(shape: Shape): ReadonlySet<string> {
  const names = new Set<string>();
  const visitBranch = (branch: Branch): void => {
    if (branch.kind === "ref") names.add(branch.name);
    if (branch.kind === "array" && branch.items !== undefined) visit(branch.items);
    if (branch.kind !== "object") return;
    for (const member of branch.members.values()) visit(member.shape);
    if (typeof branch.additional !== "string") visit(branch.additional);
    for (const part of branch.parts) part.kind === "ref" ? names.add(part.name) : visit(part.shape);
  };
  const visit = (inner: Shape): void => {
    for (const branch of inner.branches) visitBranch(branch);
  };
  visit(shape);
  return names;
}

/** Returns every definition that the given shapes and names reach. */
export function reachableFrom(
  model: Model,
  names: Iterable<string>,
  shapes: Iterable<Shape> = [],
): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...names];
  for (const shape of shapes) queue.push(...referencesOf(shape));
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const shape = model.shape(name);
    if (shape !== undefined) queue.push(...referencesOf(shape));
  }
  return reached;
}

function resolvePointer(document: JsonObject, pointer: string): unknown {
  let value: unknown = document;
  for (const segment of pointer.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value)
      ? Object.hasOwn(value, key)
        ? value[key]
        : undefined
      : Array.isArray(value)
        ? value[Number(key)]
        : undefined;
  }
  return value;
}
