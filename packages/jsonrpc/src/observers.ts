import { callQuietly } from "./call-quietly.js";
import type { Diagnostic, DiagnosticListener } from "./diagnostic.js";
import type { Tap } from "./tap.js";

/** The taps and the diagnostic listener of a connection. Their errors do not affect the connection. */
export class Observers {
  readonly #listener: DiagnosticListener | undefined;
  /** The taps. The array is replaced, never changed: a tap may remove itself while others are called. */
  #taps: readonly Tap[];

  constructor(listener: DiagnosticListener | undefined, tap: Tap | undefined) {
    this.#listener = listener;
    this.#taps = tap === undefined ? [] : [tap];
  }

  /** Whether the connection has a tap. Without one, it does no work for taps. */
  get tapped(): boolean {
    return this.#taps.length > 0;
  }

  /** Adds a tap; the returned function removes it. */
  tap(tap: Tap): () => void {
    const own: Tap = (event) => tap(event); // a new function, because the same tap may be added twice
    this.#taps = [...this.#taps, own];
    return () => {
      this.#taps = this.#taps.filter((other) => other !== own);
    };
  }

  see(direction: "sent" | "received", message: unknown, size: number, malformed?: true): void {
    const time = performance.now();
    for (const tap of this.#taps) {
      callQuietly(() => tap({ direction, time, size, message, ...(malformed && { malformed }) }));
    }
  }

  report(diagnostic: Diagnostic): void {
    callQuietly(() => this.#listener?.(diagnostic));
  }

  /** Calls a hook of the application. Reports the error if the hook throws or the promise that it returns rejects. */
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
