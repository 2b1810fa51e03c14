/** The maximum length of a pattern. Longer patterns are not checked. */
const MAX_PATTERN = 500;
/** The maximum number of steps of one check, which take about a tenth of a second. */
const MAX_STEPS = 20_000_000;

/**
 * Returns whether a text matches a pattern of an agent, as JSON Schema defines it: the pattern is a regular expression with the flag `u`, and it may match
 * any part of the text.
 *
 * A regular expression runs in the page, which can't stop it, and some patterns need exponential time even for short texts. The function therefore
 * computes a maximum of the steps that the pattern can need for a text of this length. A pattern that can need too many steps, or that is not valid, is
 * not checked: the function returns `true`, and the agent must check the text itself.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return true;
  try {
    const expression = new RegExp(pattern, "u"); // throws for an invalid pattern, so that the steps are computed only for valid ones
    const { paths, length } = new StepCounter(pattern, text.length).count();
    const places = /^\^[^|]*$/.test(pattern) ? 1 : text.length + 1; // `^` without alternatives matches only at the beginning
    return !(paths * (length + text.length) * places <= MAX_STEPS) || expression.test(text);
  } catch {
    return true;
  }
}

/**
 * The maximum effort of a part of a pattern. At one place of the text, a regular expression makes at most as many steps as there are ways to match, times the
 * steps of the longest way.
 */
interface Effort {
  /** The number of ways in which the part can match. */
  readonly paths: number;
  /** The number of steps of the longest way, in addition to one step for each character of the text. */
  readonly length: number;
}

const character: Effort = { paths: 1, length: 1 };
const tooMuch: Effort = { paths: Number.POSITIVE_INFINITY, length: 1 };

/** Computes the maximum effort of a valid pattern for texts of a given length. */
class StepCounter {
  readonly #pattern: string;
  readonly #textLength: number;
  #at = 0;

  constructor(pattern: string, textLength: number) {
    this.#pattern = pattern;
    this.#textLength = textLength;
  }

  /** Reads alternatives up to the end of their group. */
  count(): Effort {
    let [paths, length] = [0, 0];
    do {
      const branch = this.#branch();
      paths += branch.paths;
      length += branch.length;
    } while (this.#take(/\|/y) !== undefined);
    return { paths, length };
  }

  /** Reads the parts of an alternative, one after the other. */
  #branch(): Effort {
    let [paths, length] = [1, 1];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at] ?? "")) {
      const part = this.#repeated(this.#atom());
      paths *= part.paths;
      length += part.length;
    }
    return { paths, length };
  }

  #atom(): Effort {
    const [opening] = this.#take(/\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]+:))?/y) ?? [];
    if (opening !== undefined) {
      const { paths, length } = this.count();
      this.#at += 1; // the closing parenthesis
      return { paths, length: /[=!]$/.test(opening) ? length + this.#textLength : length }; // a look-around reads characters again
    }
    if (this.#take(/\\(?:[1-9]|k)/y) !== undefined) return tooMuch; // a reference to a group, whose length is not known
    this.#take(/\\[pPu]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|./suy);
    return character;
  }

  /** Reads the quantifier of a part, if it has one. */
  #repeated(part: Effort): Effort {
    const [sign, low, comma, high] = this.#take(/(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y) ?? [];
    if (sign === undefined) return part;
    const least = low === undefined ? Number(sign.startsWith("+")) : Number(low);
    const end = comma === undefined ? low : high; // `{3}` has only one number, and `{3,}`, `*` and `+` have no end
    const most = sign.startsWith("?") ? 1 : Number(end || "Infinity");
    const rounds = Math.max(least, Math.min(most, this.#textLength));
    if (part === character) return { paths: rounds - least + 1, length: 1 }; // each round reads a character of the text
    const length = rounds * (part.length + 1) + 1;
    if (part.paths === 1) return { paths: rounds - least + 1, length };
    return { paths: part.paths ** (rounds + 1), length }; // more than the sum of the ways of 0 to `rounds` repetitions, if there are two ways or more
  }

  /** Reads the text that a sticky expression matches. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}
