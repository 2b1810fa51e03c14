/** Compares expected with actual events. The showcase succeeds only if no check failed. */
export class Checks {
  readonly failures: string[] = [];
  #passed = 0;

  get passed(): number {
    return this.#passed;
  }

  /** Counts a check, and keeps its message if it failed. Returns whether it passed. */
  that(holds: boolean, message: string): boolean {
    if (holds) this.#passed += 1;
    else this.failures.push(message);
    return holds;
  }

  equal(actual: unknown, expected: unknown, what: string): boolean {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    return this.that(is === should, `${what}: is ${is}, should be ${should}`);
  }

  /**
   * Compares events with the expected events, in order. An expected event that ends with `*` may occur any number of
   * times.
   */
  order(actual: readonly string[], expected: readonly string[], what: string): boolean {
    let at = 0;
    for (const event of expected) {
      if (event.endsWith("*")) {
        while (actual[at] === event.slice(0, -1)) at += 1;
      } else if (actual[at] === event) {
        at += 1;
      } else {
        const found = actual[at] === undefined ? "nothing more" : `"${actual[at]}"`;
        const before = actual[at - 1] === undefined ? "at the beginning" : `after "${actual[at - 1]}"`;
        return this.that(false, `${what}: ${before} there should be "${event}", but there is ${found}`);
      }
    }
    return this.that(at === actual.length, `${what}: "${actual[at]}" should not be there`);
  }
}
