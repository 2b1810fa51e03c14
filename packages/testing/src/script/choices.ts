/** The values that a script has for texts; if several match, the first is used. */
export class Choices<Value> {
  readonly #some: { readonly matches: (text: string) => boolean; readonly value: Value }[] = [];
  #other: Value;

  /** @param other the value for all other texts. */
  constructor(other: Value) {
    this.#other = other;
  }

  /** Adds a value for some texts or, with the value alone, sets the value for all other texts. */
  add(...choice: readonly [Value] | readonly [string | RegExp, Value]): void {
    if (choice.length === 1) this.#other = choice[0];
    else this.#some.push({ matches: matcher(choice[0]), value: choice[1] });
  }

  readonly of = (text: string): Value => {
    const found = this.#some.find(({ matches }) => matches(text));
    return found === undefined ? this.#other : found.value;
  };
}

/** Returns a test of texts. It ignores the position that a pattern with the flag `g` or `y` keeps. */
function matcher(what: string | RegExp): (text: string) => boolean {
  if (typeof what === "string") return (text) => text.includes(what);
  const pattern = new RegExp(what.source, what.flags.replace(/[gy]/g, ""));
  return (text) => pattern.test(text);
}
