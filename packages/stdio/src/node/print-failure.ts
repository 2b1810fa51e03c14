import type { Diagnostic } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";

/** The diagnostics about the served program's own code. All others are about its peer's messages. */
const FAILURES: readonly string[] = ["handler_failed", "hook_failed"];

/** Prints an error thrown by a handler or a hook, with its stack, to standard error. The peer receives only `Internal error`. */
export function printFailure({ code, message, cause }: Diagnostic): void {
  if (!FAILURES.includes(code)) return;
  process.stderr.write(`${message}\n${cause === undefined ? "" : `${builtin("util").inspect(cause)}\n`}`);
}
