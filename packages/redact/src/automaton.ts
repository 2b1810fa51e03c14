import type { Span } from "./spans.js";

/**
 * Finds many patterns in one pass (an Aho–Corasick automaton). The time is linear in the length of the text, whatever
 * the patterns are; a regular expression with alternatives, or one search per pattern, would take longer.
 */
export class Automaton {
  /** For each character code, whether a pattern starts with it. By this table, the search skips most of a text. */
  readonly #begins = new Uint8Array(65_536);
  /** The next node. The key is computed from a node and a character code. */
  readonly #edges = new Map<number, number>();
  /** For each node, the node where the search continues if no edge matches: the longest shorter suffix of its text that is in the tree. */
  readonly #fallback: number[] = [0];
  /** For each node, the number of characters that lead to it. */
  readonly #depth: number[] = [0];
  /** For each node, the length of the longest pattern that ends at it; 0 if none ends there. */
  readonly #found: number[] = [0];

  constructor(patterns: Iterable<string>) {
    const order = this.#plant(patterns);
    for (const [parent, code, node] of order) {
      const fallback = parent === 0 ? 0 : this.#step(this.#fallback[parent] ?? 0, code);
      this.#fallback[node] = fallback;
      if (this.#found[node] === 0) this.#found[node] = this.#found[fallback] ?? 0;
    }
  }

  /** Finds patterns in a text. `pending` is the number of characters at the end of the text that may be the beginning of a pattern. */
  scan(text: string): { readonly spans: Span[]; readonly pending: number } {
    const spans: Span[] = [];
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (node === 0 && this.#begins[code] === 0) continue;
      node = this.#step(node, code);
      const length = this.#found[node] ?? 0;
      if (length > 0) add(spans, index + 1 - length, index + 1);
    }
    return { spans, pending: this.#depth[node] ?? 0 };
  }

  /**
   * Builds the tree of all patterns. Returns its edges, the edges near the root first, because the fallbacks are
   * computed in this order.
   */
  #plant(patterns: Iterable<string>): [parent: number, code: number, node: number][] {
    const levels: [number, number, number][][] = [];
    for (const pattern of patterns) {
      if (pattern !== "") this.#begins[pattern.charCodeAt(0)] = 1;
      let node = 0;
      for (let at = 0; at < pattern.length; at += 1) {
        const code = pattern.charCodeAt(at);
        const key = node * 65_536 + code;
        let next = this.#edges.get(key);
        if (next === undefined) {
          next = this.#depth.length;
          this.#edges.set(key, next);
          this.#depth.push(at + 1);
          this.#found.push(0);
          this.#fallback.push(0);
          levels[at] ??= [];
          levels[at]?.push([node, code, next]);
        }
        node = next;
      }
      if (node !== 0) this.#found[node] = pattern.length;
    }
    return levels.flat();
  }

  #step(from: number, code: number): number {
    for (let node = from; ; node = this.#fallback[node] ?? 0) {
      const next = this.#edges.get(node * 65_536 + code);
      if (next !== undefined) return next;
      if (node === 0) return 0;
    }
  }
}

/** Adds a span that ends after all others, and merges those that it overlaps. */
function add(spans: Span[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last !== undefined && last.end >= from; last = spans.at(-1)) {
    from = Math.min(from, last.start);
    spans.pop();
  }
  spans.push({ start: from, end });
}
