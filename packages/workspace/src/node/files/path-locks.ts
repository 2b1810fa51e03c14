/** Runs one action at a time for each path, in the order of the calls. */
export class PathLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `action` when every earlier action for any of these paths has finished. */
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
