import type { Diagnostic } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";

/** The diagnostics that are about the served program's own code. The others are about what its peer sends. */
const FAILURES: readonly string[] = ["handler_failed", "hook_failed"];

/** Prints what a handler or a hook threw, with its stack, to standard error. The peer receives no more than `Internal error`. */
export function printFailure({ code, message, cause }: Diagnostic): void {
  if (!FAILURES.includes(code)) return;
  process.stderr.write(`${message}\n${cause === undefined ? "" : `${builtin("util").inspect(cause)}\n`}`);
}
