/** A value as a wire would bring it, and the length of its JSON text: exact but for characters that JSON escapes, which count as one. */
export interface JsonCopy {
  readonly value: unknown;
  readonly size: number;
}

/** Deeper values go the long way: a cycle is one, too, and there it throws what `JSON.stringify` throws. */
const MAX_DEPTH = 100;

/** `JSON.stringify` might see something else in it than its members. */
const unusual: unique symbol = Symbol("unusual");

/**
 * What `JSON.parse(JSON.stringify(value))` gives, at a fraction of the price: objects and arrays are copied member by member, texts are shared,
 * because nobody can change them. Whatever is not plain data (`toJSON`, instances of classes, holes, `NaN`) goes the long way, all of it.
 *
 * @throws {TypeError} what `JSON.stringify` throws.
 */
export function copyJson(value: unknown): JsonCopy {
  const tally = { size: 0 };
  const copied = copyOf(value, tally, 0);
  if (copied !== unusual) return { value: copied, size: tally.size };
  const text = JSON.stringify(value);
  return { value: JSON.parse(text), size: text.length };
}

function copyOf(value: unknown, tally: { size: number }, depth: number): unknown {
  switch (typeof value) {
    case "string":
      tally.size += value.length + 2;
      return value;
    case "boolean":
      tally.size += value ? 4 : 5;
      return value;
    case "number":
      if (!Number.isFinite(value) || Object.is(value, -0)) return unusual;
      tally.size += String(value).length;
      return value;
    case "object":
      if (value === null) {
        tally.size += 4;
        return null;
      }
      if (depth > MAX_DEPTH || (value as { toJSON?: unknown }).toJSON !== undefined) return unusual;
      return Array.isArray(value) ? copyOfList(value, tally, depth) : copyOfObject(value, tally, depth);
    default:
      return unusual;
  }
}

function copyOfList(list: readonly unknown[], tally: { size: number }, depth: number): unknown {
  tally.size += list.length === 0 ? 2 : list.length + 1;
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = copyOf(list[index], tally, depth + 1);
    if (item === unusual) return unusual;
    copy.push(item);
  }
  return copy;
}

function copyOfObject(object: object, tally: { size: number }, depth: number): unknown {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return unusual;
  const copy: Record<string, unknown> = {};
  let size = 1;
  for (const name in object) {
    // A member of this name would become the prototype of the copy; an inherited one, that somebody gave to all objects, is no member.
    if (name === "__proto__" || !Object.hasOwn(object, name)) return unusual;
    const value = (object as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const member = copyOf(value, tally, depth + 1);
    if (member === unusual) return unusual;
    copy[name] = member;
    size += name.length + 4;
  }
  tally.size += size === 1 ? 2 : size;
  return copy;
}
