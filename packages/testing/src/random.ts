/** A random generator: a seed gives the same numbers on every platform. {@link createRandom} creates it. */
export interface Random {
  /** Returns a random number of at least 0 and below 1. */
  next(): number;
  /** Returns a random whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** Returns a random element of a list. */
  pick<T>(items: readonly T[]): T;
}

/** Creates a random generator from a seed, which may be any number or text. */
export function createRandom(seed: number | string): Random {
  let state = hash(String(seed));
  // the algorithm mulberry32: small, fast, and random enough to select messages
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new TypeError("The list to pick from is empty");
      return items[integer(0, items.length - 1)] as T;
    },
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}
