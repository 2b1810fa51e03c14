/**
 * Calls a hook of the application for which there is no listener that an error could be reported to. Ignores an error that
 * the hook throws, and the rejection of the promise that an `async` hook returns.
 */
export function callQuietly(hook: () => unknown): void {
  try {
    const result = hook();
    if (result !== undefined) Promise.resolve(result).catch(() => {});
  } catch {
    // The error is ignored.
  }
}
