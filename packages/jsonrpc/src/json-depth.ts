/**
 * Returns the limit that a value exceeds, if any: more than `maxDepth` levels of arrays and objects, or more than
 * `maxNodes` nodes (see {@link MessageLimits}). The function does not recurse, so that no depth overflows the stack. A
 * value that contains itself is too deep. With `isJson`, returns `type` for a value that JSON can't represent, such as
 * a typed array, a `Map` or a big integer.
 */
export function exceededBound(
  value: unknown,
  maxDepth: number,
  maxNodes: number = Number.POSITIVE_INFINITY,
  isJson = false,
): "depth" | "nodes" | "type" | undefined {
  const pending: unknown[] = [value];
  const depths: number[] = [1];
  let nodes = 0;
  while (pending.length > 0) {
    const next = pending.pop();
    const depth = depths.pop() as number;
    if (isJson && !isJsonType(next)) return "type";
    if (!isContainer(next)) continue;
    if (depth > maxDepth) return "depth";
    const children: readonly unknown[] = Array.isArray(next) ? next : isFlat(next) ? [] : Object.values(next);
    nodes += (ArrayBuffer.isView(next) ? next.byteLength : children.length) || 1;
    if (nodes > maxNodes) return "nodes";
    for (const child of children) {
      if (!isContainer(child) && typeof child !== "bigint") continue;
      pending.push(child);
      depths.push(depth + 1);
    }
  }
  return undefined;
}

/** Whether all members are numbers or characters, which takes many times their memory to read as members. */
function isFlat(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof String;
}

/** Whether JSON has this type of value. A plain object of another realm has another `Object.prototype`. */
function isJsonType(value: unknown): boolean {
  if (!isContainer(value) || Array.isArray(value)) return typeof value !== "bigint";
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The depth up to which a value is measured by recursion, the fastest way. Few messages are deeper. */
const RECURSION_DEPTH = 32;

/** Returns whether values are nested more than `depth` levels (`[]` is one), without recursion. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (!isContainer(value) || !overflows(value, Math.min(depth, RECURSION_DEPTH))) return false;
  return depth <= RECURSION_DEPTH || exceededBound(value, depth) !== undefined;
}

/** The recursive part of {@link isDeeperThan}. It allocates nothing, because it runs for every update of a session. */
function overflows(value: object, depth: number): boolean {
  if (depth <= 0) return true;
  if (Array.isArray(value)) {
    for (const child of value) if (isContainer(child) && overflows(child, depth - 1)) return true;
    return false;
  }
  if (isFlat(value)) return false;
  for (const name in value) {
    const child = (value as Record<string, unknown>)[name];
    if (isContainer(child) && overflows(child, depth - 1)) return true;
  }
  return false;
}

/**
 * Returns a copy of a value in which `replacement` takes the place of each array and object that is nested more than
 * `depth` levels deep. If no part is replaced, returns the value itself.
 *
 * Use it before recursive code without a limit, such as `JSON.stringify`, which overflows the stack on values that are
 * nested some thousands of levels deep.
 *
 * @param depth at most a few hundred: the copy is made by recursion.
 */
export function withinDepth<Value>(value: Value, depth: number, replacement: unknown = null): Value {
  return isDeeperThan(value, depth) ? (cut(value, depth, replacement) as Value) : value;
}

function cut(value: unknown, depth: number, replacement: unknown): unknown {
  if (!isContainer(value)) return value;
  if (depth === 0) return replacement;
  const within = (child: unknown): unknown => cut(child, depth - 1, replacement);
  if (Array.isArray(value)) return value.map(within);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member)]));
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
