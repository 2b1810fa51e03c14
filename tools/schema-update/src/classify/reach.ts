import type { Root } from "../compare/compare-methods.js";
import type { Pair } from "../compare/comparison.js";
import type { Direction } from "../normalize/methods.js";

/** The ways in which messages contain a pair of definitions (the old and the new one). */
export interface Reach {
  /** The ways, by `writer → reader`. */
  readonly directions: ReadonlyMap<
    string,
    {
      readonly direction: Direction /** On every way there is a place where old readers recover from values that they can't read. */;
      readonly lenient: boolean;
    }
  >;
  readonly methods: ReadonlySet<string>;
}

/** Returns for every pair its writers, its readers, its methods, and whether every way is lenient: a decoder recovers from errors on it. */
export function reachOf(roots: readonly Root[]): ReadonlyMap<Pair, Reach> {
  const reach = new Map<
    Pair,
    { directions: Map<string, { direction: Direction; lenient: boolean }>; methods: Set<string> }
  >();
  for (const root of roots) {
    const key = `${root.direction.writer} → ${root.direction.reader}`;
    const visited = new Map<Pair, boolean>();
    const queue: { pair: Pair; lenient: boolean }[] = [{ pair: root.pair, lenient: false }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { pair, lenient } = next;
      // A way is lenient if a decoder recovers from errors on it. If a strict way to the same pair is found later, it replaces the lenient one.
      const known = visited.get(pair);
      if (known === false || known === lenient) continue;
      visited.set(pair, lenient);
      for (const link of pair.links) queue.push({ pair: link.pair, lenient: lenient || link.lenient });
    }
    for (const [pair, lenient] of visited) {
      const entry = reach.get(pair) ?? { directions: new Map(), methods: new Set() };
      entry.directions.set(key, {
        direction: root.direction,
        lenient: lenient && (entry.directions.get(key)?.lenient ?? true),
      });
      entry.methods.add(root.method);
      reach.set(pair, entry);
    }
  }
  return reach;
}
