/** The maximum nesting. Deeper values are replaced: reading them could overflow the stack. */
export const MAX_DEPTH = 256;

/**
 * The maximum number of values that are read. A limit of the depth is not enough, because reading a value that contains
 * itself several times could take exponential time.
 */
export const MAX_VALUES = 1_000_000;

/** The text that replaces a value that is nested too deep. */
export const TOO_DEEP = "[redacted: nested too deep]";

/** The text that replaces each value after the first {@link MAX_VALUES}. */
export const TOO_MANY = "[redacted: too many values]";

/** Functions that map the parts of a value. `State` is passed down from a container to its members. */
export interface Mapping<State> {
  /** Returns the state for a member of an object. */
  member(state: State, name: string, holder: Readonly<Record<string, unknown>>): State;
  /** Returns a function that returns the state for each item of a list. */
  items(state: State, list: readonly unknown[]): (index: number) => State;
  /** Maps a value that is neither an object nor a list. */
  leaf(value: unknown, state: State): unknown;
  /** Maps the name of a member. */
  name?(name: string): string;
}

/** Returns a copy with every leaf mapped, or the value itself if none changes. Depth and number are bounded. */
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
    // `fromEntries` defines members and does not assign them, because a member may have the name `__proto__`.
    return changed ? Object.fromEntries(entries) : holder;
  }
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
