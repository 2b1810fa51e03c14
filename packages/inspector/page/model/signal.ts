/** A value that changes many times in a frame, and its subscribers, who are called once for it. */
export class Signal {
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isScheduled = false;

  readonly getVersion = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reports a change; the subscribers are called with the next frame, or soon in a page that is hidden. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    nextFrame(() => {
      this.#isScheduled = false;
      this.#version += 1;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

/** Runs a function with the next frame; a hidden page has none, so there a timer runs it. */
export function nextFrame(run: () => void): void {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    run();
  };
  const timer = setTimeout(once, 200);
  requestAnimationFrame(once);
}
