import { Automaton } from "./automaton.js";
import { mergeSpans, type Span } from "./spans.js";

/** Some of the patterns of a {@link PatternSearch}, and the automaton that finds them. */
interface Part {
  readonly patterns: readonly string[];
  readonly chars: number;
  readonly automaton: Automaton;
}

/**
 * Finds patterns in texts, and accepts further patterns between two searches.
 *
 * A new automaton for all patterns after each addition would take quadratic time. Therefore the patterns are in several automata, each of which
 * has more characters than the next. A new one absorbs all that are not larger, so their number grows with the logarithm of
 * the number of characters, and a pattern is built into as few automata.
 */
export class PatternSearch {
  readonly #parts: Part[] = [];
  #added: string[] = [];

  add(patterns: Iterable<string>): void {
    for (const pattern of patterns) this.#added.push(pattern);
  }

  /** Finds patterns in a text. `pending` is the number of characters at the end of the text that may be the beginning of a pattern. */
  scan(text: string): { readonly spans: Span[]; readonly pending: number } {
    if (this.#added.length > 0) this.#build();
    const found = this.#parts.map(({ automaton }) => automaton.scan(text));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    return {
      spans: mergeSpans(found.flatMap(({ spans }) => spans)),
      pending: Math.max(0, ...found.map(({ pending }) => pending)),
    };
  }

  #build(): void {
    let patterns: readonly string[] = this.#added;
    let chars = patterns.reduce((sum, { length }) => sum + length, 0);
    for (let last = this.#parts.at(-1); last !== undefined && last.chars <= chars; last = this.#parts.at(-1)) {
      patterns = [...last.patterns, ...patterns];
      chars += last.chars;
      this.#parts.pop();
    }
    this.#parts.push({ patterns, chars, automaton: new Automaton(patterns) });
    this.#added = [];
  }
}
