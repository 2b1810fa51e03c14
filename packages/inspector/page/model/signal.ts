/** The maximum share of the time that drawing may take. The rest of the time is for other work. */
const DRAWING_SHARE = 1 / 3;
/** Drawings that take less than this many milliseconds are not slowed down. */
const FRAME_MS = 16;
/** The maximum time between two drawings, in milliseconds. */
const MAX_PAUSE_MS = 500;

/**
 * Notifies its subscribers of changes, at most once per frame. If drawing the changes takes long, the next notification
 * waits, because the page also needs time to receive messages. Otherwise the page would receive messages more slowly
 * than an agent sends them.
 */
export class Signal {
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #isScheduled = false;
  /** The time before which the subscribers are not called again. */
  #pausedUntil = 0;

  readonly getVersion = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reports a change. The subscribers are called in the next frame; in a hidden page, within 200 ms. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const pause = this.#pausedUntil - performance.now();
    if (pause > 0) setTimeout(() => nextFrame(() => this.#notify()), pause);
    else nextFrame(() => this.#notify());
  }

  #notify(): void {
    const start = performance.now();
    this.#isScheduled = false;
    this.#version += 1;
    for (const listener of [...this.#listeners]) listener();
    nextTask(() => {
      // In most cases, the browser has drawn by now, and the measured time includes the drawing. If it has not, it
      // draws later, when there is time.
      const end = performance.now();
      const pause = (end - start) * (1 / DRAWING_SHARE - 1);
      if (end - start > FRAME_MS) this.#pausedUntil = end + Math.min(MAX_PAUSE_MS, pause);
    });
  }
}

/** Runs a function in a separate task, before which the browser can handle input and draw. */
export function nextTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(undefined);
}

/** Runs a function in the next frame. A hidden page has no frames, so a timer runs the function there. */
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
