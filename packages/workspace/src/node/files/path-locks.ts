/** Lets one user of a path at a time: what an agent asks for in one breath happens in that order. */
export class PathLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `action` when all that came before for any of these paths is over. */
  async run<Result>(paths: readonly string[], action: () => Promise<Result>): Promise<Result> {
    const before = paths.map((path) => this.#tails.get(path));
    let done: () => void = () => {};
    const tail = new Promise<void>((resolve) => {
      done = resolve;
    });
    for (const path of paths) this.#tails.set(path, tail);
    try {
      await Promise.all(before);
      return await action();
    } finally {
      for (const path of paths) if (this.#tails.get(path) === tail) this.#tails.delete(path);
      done();
    }
  }
}
