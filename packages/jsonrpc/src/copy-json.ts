import { checkMessageText, type MessageLimits, messageLimitDefaults } from "./message-limits.js";

/** A copy of a value as JSON transfers it, and the length of its text, with an escaped character as one. */
export interface JsonCopy {
  readonly value: unknown;
  readonly size: number;
  /** Names the limit that the value exceeds; `undefined` if it is within the {@link MessageLimits}. */
  readonly problem: string | undefined;
}

/** Deeper values are copied through text, because `JSON.stringify` throws for a value that contains itself. */
const MAX_DEPTH = 100;

/** The counts of one call of {@link copyJson} so far, and its depth limit. */
interface Tally {
  size: number;
  /** The number of nodes, counted as `checkMessageText` does. */
  nodes: number;
  readonly maxDepth: number;
}

/** For an object that can't be copied member by member, as `JSON.stringify` may serialize it in another way. */
const unusual: unique symbol = Symbol("unusual");

/**
 * Returns what `JSON.parse(JSON.stringify(value))` returns, at a fraction of the cost: objects and arrays are copied
 * member by member, strings are shared because they are immutable. If a value contains anything but plain data
 * (`toJSON`, class instances, holes, `NaN`), the whole value is serialized and parsed.
 *
 * @throws {TypeError} when `JSON.stringify` throws it, or when the value is nested so deep that it overflows the stack.
 */
export function copyJson(value: unknown, limits: Required<MessageLimits> = messageLimitDefaults): JsonCopy {
  const { maxMessageDepth, maxMessageNodes } = limits;
  const tally: Tally = { size: 0, nodes: 0, maxDepth: Math.min(maxMessageDepth, MAX_DEPTH) };
  const copied = copyOf(value, tally, 1);
  if (copied !== unusual && tally.nodes <= maxMessageNodes) {
    return { value: copied, size: tally.size, problem: undefined };
  }
  return valueOfText(toText(value), limits);
}

/** Parses a JSON text, like {@link copyJson}. */
export function valueOfText(text: string, limits: Required<MessageLimits>): JsonCopy {
  const problem = checkMessageText(text, limits);
  return { value: problem === undefined ? JSON.parse(text) : undefined, size: text.length, problem };
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw cause instanceof RangeError
      ? new TypeError("The value is nested too deep to be serialized", { cause })
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
    // Assigning a member with the name `__proto__` would set the prototype of the copy. Inherited properties are not
    // members.
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
