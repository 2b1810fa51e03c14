import type { Diagnostic, Tap } from "@acp-kit/protocol";
import type { ConnectionLimits, OutgoingCheck } from "@acp-kit/protocol/internal";
import type { ErrorDetails } from "./handler-failures.js";
import type { ConcurrentPrompts } from "./turn-policy.js";
import type { AgentVersion } from "./version.js";

/** The options of `createAgent`. */
export interface AgentOptions {
  /**
   * The versions of the protocol that the agent speaks in addition to version 1: `[v2]`, with `v2` of
   * `@acp-kit/v2/agent`. The client chooses one in `initialize`; the handlers are the same for all versions.
   */
  readonly versions?: readonly [AgentVersion?];
  /** What the agent does with a prompt that arrives while a turn of the same session runs. The default is `queue`. */
  readonly concurrentPrompts?: ConcurrentPrompts;
  /**
   * The time in milliseconds for which the handler of a cancelled turn may continue to run. After this time, the
   * library responds to the prompt with `cancelled`, even if the handler still runs. The default is 10,000.
   */
  readonly cancelGraceMs?: number;
  /** The limits of the connection. */
  readonly limits?: Omit<ConnectionLimits, "initializeTimeoutMs">;
  /**
   * Checks every message before it is sent; `@acp-kit/protocol/strict` exports such a function. Use it in development
   * and tests. With this option, a method that would set a tool call to an earlier status throws an error, too.
   */
  readonly checkOutgoing?: OutgoingCheck;
  /** Receives every message in both directions, for a log or a recording; secrets are redacted. */
  readonly tap?: Tap;
  /** Whether `tap` receives messages without redaction, secrets included. The default is `false`. */
  readonly tapSecrets?: boolean;
  /**
   * What the client receives of an error that a handler threw. With `"hide"`, it is only the message `Internal error`.
   * With `"send"`, the `data` of the response also contains the error's message, and its name and code if it has them,
   * never its stack. The message of an error can contain paths and host names. The default is `"hide"`.
   */
  readonly errorDetails?: ErrorDetails;
  /**
   * Receives reports of problems, such as a handler that failed, with the error as `cause`. The library itself never
   * writes to the console. Without this option, the program that serves the agent receives the reports; `serveStdio`
   * prints failures to standard error.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}
