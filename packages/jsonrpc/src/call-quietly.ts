/**
 * Calls a hook of the application. Ignores its error, and the rejection of an `async` hook: no listener could receive
 * them.
 */
export function callQuietly(hook: () => unknown): void {
  try {
    const result = hook();
    if (result !== undefined) Promise.resolve(result).catch(() => {});
  } catch {
    // The error is ignored.
  }
}
