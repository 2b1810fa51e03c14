import type { Diagnostic } from "@acp-kit/jsonrpc";
import { builtin } from "./builtins.js";

/** The codes of diagnostics about the agent's own code. All others are about messages of the client. */
const FAILURES: readonly string[] = ["handler_failed", "hook_failed"];

/** Prints an error of a handler or hook with its stack. The client receives only `Internal error`. */
export function printFailure({ code, message, cause }: Diagnostic): void {
  if (!FAILURES.includes(code)) return;
  process.stderr.write(`${message}\n${cause === undefined ? "" : `${builtin("util").inspect(cause)}\n`}`);
}
