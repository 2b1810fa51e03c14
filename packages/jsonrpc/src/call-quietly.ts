/** Calls a hook of the application. Ignores its error, also that of an `async` hook: no one could receive it. */
export function callQuietly(hook: () => unknown): void {
  try {
    const result = hook();
    if (result !== undefined) Promise.resolve(result).catch(() => {});
  } catch {
    // The error is ignored.
  }
}
