import type { Diagnostic } from "@acp-kit/jsonrpc";

/**
 * Creates a function that reports diagnostics to `listener` and ignores its errors, those of an `async` listener included.
 * It needs no connection, so that parts built before the connection can report, too.
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
