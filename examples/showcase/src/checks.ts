/** What should have happened, against what did. The showcase succeeds only when nothing is left in here that failed. */
export class Checks {
  readonly failures: string[] = [];
  #passed = 0;

  get passed(): number {
    return this.#passed;
  }

  /** Counts, and keeps the message when it doesn't hold. Returns whether it held. */
  that(holds: boolean, message: string): boolean {
    if (holds) this.#passed += 1;
    else this.failures.push(message);
    return holds;
  }

  equal(actual: unknown, expected: unknown, what: string): boolean {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    return this.that(is === should, `${what}: is ${is}, should be ${should}`);
  }

  /** Compares what happened, in order. An expected event that ends with `*` may come any number of times. */
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
