import { checkMessageText, type MessageLimits, messageLimitDefaults } from "./message-limits.js";

/** A value as a wire would bring it, and the length of its JSON text: exact but for characters that JSON escapes, which count as one. */
export interface JsonCopy {
  readonly value: unknown;
  readonly size: number;
  /** The limit of {@link MessageLimits} that it exceeds, in a sentence. */
  readonly problem: string | undefined;
}

/** Deeper values go the long way: a cycle is one, too, and there it throws what `JSON.stringify` throws. */
const MAX_DEPTH = 100;

/** What is known of a value while it is copied. */
interface Tally {
  size: number;
  /** As `checkMessageText` counts them. */
  nodes: number;
  readonly maxDepth: number;
}

/** `JSON.stringify` might see something else in it than its members. */
const unusual: unique symbol = Symbol("unusual");

/**
 * What `JSON.parse(JSON.stringify(value))` gives, at a fraction of the price: objects and arrays are copied member by member, texts are shared,
 * because nobody can change them. Whatever is not plain data (`toJSON`, instances of classes, holes, `NaN`) goes the long way, all of it.
 *
 * @throws {TypeError} what `JSON.stringify` throws, and when it overflows the stack.
 */
export function copyJson(value: unknown, limits: Required<MessageLimits> = messageLimitDefaults): JsonCopy {
  const { maxMessageDepth, maxMessageNodes } = limits;
  const tally: Tally = { size: 0, nodes: 0, maxDepth: Math.min(maxMessageDepth, MAX_DEPTH) };
  const copied = copyOf(value, tally, 1);
  if (copied !== unusual && tally.nodes <= maxMessageNodes) {
    return { value: copied, size: tally.size, problem: undefined };
  }
  const text = toText(value);
  const problem = checkMessageText(text, limits);
  return { value: problem === undefined ? JSON.parse(text) : undefined, size: text.length, problem };
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw cause instanceof RangeError
      ? new TypeError("The value is nested too deep to be serialised", { cause })
      : cause;
  }
}

function copyOf(value: unknown, tally: Tally, depth: number): unknown {
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
      if (depth > tally.maxDepth || (value as { toJSON?: unknown }).toJSON !== undefined) return unusual;
      return Array.isArray(value) ? copyOfList(value, tally, depth) : copyOfObject(value, tally, depth);
    default:
      return unusual;
  }
}

function copyOfList(list: readonly unknown[], tally: Tally, depth: number): unknown {
  tally.size += list.length === 0 ? 2 : list.length + 1;
  tally.nodes += list.length === 0 ? 1 : list.length;
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = copyOf(list[index], tally, depth + 1);
    if (item === unusual) return unusual;
    copy.push(item);
  }
  return copy;
}

function copyOfObject(object: object, tally: Tally, depth: number): unknown {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return unusual;
  const copy: Record<string, unknown> = {};
  let size = 1;
  let members = 0;
  for (const name in object) {
    // A member of this name would become the prototype of the copy; an inherited one, that somebody gave to all objects, is no member.
    if (name === "__proto__" || !Object.hasOwn(object, name)) return unusual;
    const value = (object as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const member = copyOf(value, tally, depth + 1);
    if (member === unusual) return unusual;
    copy[name] = member;
    size += name.length + 4;
    members += 1;
  }
  tally.size += members === 0 ? 2 : size;
  tally.nodes += members === 0 ? 1 : members;
  return copy;
}
