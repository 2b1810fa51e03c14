import type { Diagnostic } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";

/**
 * The codes of diagnostics about errors in the agent's own code. All other diagnostics are about messages of the
 * client.
 */
const FAILURES: readonly string[] = ["handler_failed", "hook_failed"];

/**
 * Prints an error that a handler or a hook threw, with its stack, to standard error. The client receives only
 * `Internal error`.
 */
export function printFailure({ code, message, cause }: Diagnostic): void {
  if (!FAILURES.includes(code)) return;
  process.stderr.write(`${message}\n${cause === undefined ? "" : `${builtin("util").inspect(cause)}\n`}`);
}
