import type { Diagnostic, DiagnosticListener } from "./diagnostic.js";
import type { Tap } from "./tap.js";

/** Everybody who watches a connection without taking part: taps and the diagnostic listener. None of them can change what it does. */
export class Observers {
  readonly #listener: DiagnosticListener | undefined;
  /** Replaced, never changed: a tap may remove itself while the others are being called. */
  #taps: readonly Tap[];

  constructor(listener: DiagnosticListener | undefined, tap: Tap | undefined) {
    this.#listener = listener;
    this.#taps = tap === undefined ? [] : [tap];
  }

  /** Asked before each message, so that a connection nobody taps pays nothing for it. */
  get tapped(): boolean {
    return this.#taps.length > 0;
  }

  /** Adds a tap; the returned function removes it. */
  tap(tap: Tap): () => void {
    const own: Tap = (event) => tap(event); // the same function may be added twice
    this.#taps = [...this.#taps, own];
    return () => {
      this.#taps = this.#taps.filter((other) => other !== own);
    };
  }

  see(direction: "sent" | "received", message: unknown, size: number, malformed?: true): void {
    const time = performance.now();
    for (const tap of this.#taps) {
      try {
        quiet(tap(malformed ? { direction, time, size, message, malformed } : { direction, time, size, message }));
      } catch {
        // What a tap throws is its own business.
      }
    }
  }

  report(diagnostic: Diagnostic): void {
    try {
      quiet(this.#listener?.(diagnostic));
    } catch {
      // As above; and there is nobody left to tell.
    }
  }

  /** Calls a hook of the application. What it throws, now or later, is reported. */
  call(name: string, hook: (() => unknown) | undefined): void {
    const failed = (cause: unknown): void => {
      this.report({ code: "hook_failed", message: `${name} failed`, cause });
    };
    try {
      const result = hook?.();
      if (result !== undefined) Promise.resolve(result).catch(failed);
    } catch (cause) {
      failed(cause);
    }
  }
}

/** An `async` function is a legal listener: when it fails, that is no unhandled rejection of ours. */
function quiet(result: unknown): void {
  if (result !== undefined) Promise.resolve(result).catch(() => {});
}
