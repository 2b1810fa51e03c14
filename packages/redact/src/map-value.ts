/** How deep values are read. What is nested deeper is replaced: nothing that means something is, and reading it could exhaust the stack. */
export const MAX_DEPTH = 256;

/** How many values are read. With a bound on the depth alone a cycle could still be walked for ever. */
export const MAX_VALUES = 1_000_000;

/** What stands where a value was nested too deep. */
export const TOO_DEEP = "[redacted: nested too deep]";

/** What stands where there were too many values. */
export const TOO_MANY = "[redacted: too many values]";

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

/** A copy in which every leaf is what `mapping` makes of it, or the value itself when that changes none. The depth and the number are bounded. */
export function mapValue<State>(value: unknown, state: State, mapping: Mapping<State>): unknown {
  return new Walk(mapping).map(value, state, 0);
}

class Walk<State> {
  readonly #mapping: Mapping<State>;
  #left = MAX_VALUES;

  constructor(mapping: Mapping<State>) {
    this.#mapping = mapping;
  }

  map(value: unknown, state: State, depth: number): unknown {
    if (this.#left === 0) return TOO_MANY;
    this.#left -= 1;
    if (typeof value !== "object" || value === null) return this.#mapping.leaf(value, state);
    if (depth >= MAX_DEPTH) return isEmpty(value) ? value : TOO_DEEP;
    return Array.isArray(value)
      ? this.#mapList(value, state, depth)
      : this.#mapObject(value as Readonly<Record<string, unknown>>, state, depth);
  }

  #mapList(list: readonly unknown[], state: State, depth: number): unknown {
    const stateOf = this.#mapping.items(state, list);
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index];
      const mapped = this.map(item, stateOf(index), depth + 1);
      if (mapped === item) continue;
      copy ??= [...list];
      copy[index] = mapped;
    }
    return copy ?? list;
  }

  #mapObject(holder: Readonly<Record<string, unknown>>, state: State, depth: number): unknown {
    const entries = Object.entries(holder);
    let changed = false;
    for (const entry of entries) {
      const [name, member] = entry;
      entry[0] = this.#mapping.name?.(name) ?? name;
      entry[1] = this.map(member, this.#mapping.member(state, name, holder), depth + 1);
      changed ||= entry[0] !== name || entry[1] !== member;
    }
    // Not by assignment: a member may be called `__proto__`.
    return changed ? Object.fromEntries(entries) : holder;
  }
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
