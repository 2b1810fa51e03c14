/** A reproducible random generator: the same seed gives the same numbers, on every platform. Created by {@link createRandom}. */
export interface Random {
  /** From 0, below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of them. */
  pick<T>(items: readonly T[]): T;
}

/** A seed may be any number or text. */
export function createRandom(seed: number | string): Random {
  let state = hash(String(seed));
  // mulberry32: small, fast, and good enough to decide which message is lost
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
      if (items.length === 0) throw new TypeError("There is nothing to pick from");
      return items[integer(0, items.length - 1)] as T;
    },
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}
