/** How deep values are read. What is nested deeper is replaced: nothing that means something is, and reading it could exhaust the stack. */
export const MAX_DEPTH = 200;

/** What stands where a value was nested too deep. */
export const TOO_DEEP = "[redacted: nested too deep]";

/** What becomes of the parts of a value, in whatever state the walk has. */
export interface Mapping<State> {
  /** The state of a member of an object. */
  member(state: State, name: string, holder: Readonly<Record<string, unknown>>): State;
  /** The states of the items of a list. */
  items(state: State, list: readonly unknown[]): (index: number) => State;
  /** What stands in the place of anything that is no object and no list. */
  leaf(value: unknown, state: State): unknown;
  /** What a member is called. */
  name?(name: string): string;
}

/** A copy in which every leaf is what `mapping` makes of it, or the value itself when that changes none. The depth is bounded. */
export function mapValue<State>(value: unknown, state: State, mapping: Mapping<State>, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return mapping.leaf(value, state);
  if (depth >= MAX_DEPTH) return isEmpty(value) ? value : TOO_DEEP;
  return Array.isArray(value)
    ? mapList(value, state, mapping, depth)
    : mapObject(value as Readonly<Record<string, unknown>>, state, mapping, depth);
}

function mapList<State>(list: readonly unknown[], state: State, mapping: Mapping<State>, depth: number): unknown {
  const stateOf = mapping.items(state, list);
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const mapped = mapValue(item, stateOf(index), mapping, depth + 1);
    if (mapped === item) continue;
    copy ??= [...list];
    copy[index] = mapped;
  }
  return copy ?? list;
}

function mapObject<State>(
  holder: Readonly<Record<string, unknown>>,
  state: State,
  mapping: Mapping<State>,
  depth: number,
): unknown {
  const entries = Object.entries(holder);
  let changed = false;
  for (const entry of entries) {
    const [name, member] = entry;
    entry[0] = mapping.name?.(name) ?? name;
    entry[1] = mapValue(member, mapping.member(state, name, holder), mapping, depth + 1);
    changed ||= entry[0] !== name || entry[1] !== member;
  }
  // Not by assignment: a member may be called `__proto__`.
  return changed ? Object.fromEntries(entries) : holder;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
