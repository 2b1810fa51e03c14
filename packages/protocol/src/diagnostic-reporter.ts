import type { Diagnostic } from "@acp-kit/jsonrpc";
import { callQuietly } from "@acp-kit/jsonrpc/internal";

/**
 * Creates a function that reports diagnostics to `listener` and ignores the errors of the listener, even those of an
 * `async` listener. The returned function needs no connection, so that code can report diagnostics before a connection
 * exists.
 */
export function diagnosticReporter(
  listener: ((diagnostic: Diagnostic) => void) | undefined,
): (diagnostic: Diagnostic) => void {
  return (diagnostic) => callQuietly(() => listener?.(diagnostic));
}
