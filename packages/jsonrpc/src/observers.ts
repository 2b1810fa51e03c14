import type { Diagnostic, DiagnosticListener } from "./diagnostic.js";
import type { Tap } from "./tap.js";

/** The taps and the diagnostic listener of a connection. None of them can change what the connection does. */
export class Observers {
  readonly #listener: DiagnosticListener | undefined;
  /** Replaced, never changed: a tap may remove itself while the others are being called. */
  #taps: readonly Tap[];

  constructor(listener: DiagnosticListener | undefined, tap: Tap | undefined) {
    this.#listener = listener;
    this.#taps = tap === undefined ? [] : [tap];
  }

  /** Checked before each message, so that a connection without taps pays nothing for them. */
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
        // Errors of a tap are ignored.
      }
    }
  }

  report(diagnostic: Diagnostic): void {
    try {
      quiet(this.#listener?.(diagnostic));
    } catch {
      // Ignored as above: there is no other listener to report to.
    }
  }

  /** Calls a hook of the application. An error it throws, now or later, is reported. */
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

/** An `async` function is a legal listener: its rejection must not become an unhandled rejection. */
function quiet(result: unknown): void {
  if (result !== undefined) Promise.resolve(result).catch(() => {});
}
