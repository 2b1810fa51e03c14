import type { Diagnostic } from "@acp-kit/jsonrpc";

/**
 * Makes a function that reports diagnostics to `listener` and never throws, also not later: a listener may be an `async` function.
 * It needs no connection, so what is built before the connection can report, too.
 */
export function diagnosticReporter(
  listener: ((diagnostic: Diagnostic) => void) | undefined,
): (diagnostic: Diagnostic) => void {
  return (diagnostic) => {
    try {
      const result: unknown = listener?.(diagnostic);
      if (result !== undefined) Promise.resolve(result).catch(() => {});
    } catch {
      // A listener that throws changes nothing.
    }
  };
}
