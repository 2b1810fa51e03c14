import type { AgentCapabilities, Implementation } from "@acp-kit/types";

/** The result of `acp-kit doctor`, and the format of its `--json`. */
export interface Examination {
  /** The command, as it was given; empty for an agent behind a URL. */
  readonly command: readonly string[];
  /** The address of a remote agent, without its query. */
  readonly url?: string;
  /** From the start of the process to the response to `initialize`, in milliseconds; `null` without a response. */
  readonly startupMs: number | null;
  readonly protocolVersion: number | null;
  /** The name that the agent reports for itself. */
  readonly agent: Implementation | null;
  readonly capabilities: AgentCapabilities | null;
  readonly authMethods: readonly AuthWay[];
  /** What a new session offers. */
  readonly session: SessionFindings | null;
  /** Deviations from the protocol, each once. */
  readonly oddities: readonly Oddity[];
  /** `null` also for a remote agent, whose process is out of sight. */
  readonly exit: ExitFindings | null;
  /** Why the examination ended early. */
  readonly error?: string;
}

/** A way to log in; `kind` says how: by the agent, by its command in a terminal, by environment variables. */
export interface AuthWay {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "terminal" | "env_var" | "unknown";
}

/** What a new session offers, or why there is none. */
export type SessionFindings =
  | {
      readonly state: "opened";
      /** The options that can be set: modes and models, however the agent advertises them, and all others. */
      readonly options: readonly OfferedOption[];
      readonly commands: readonly string[];
    }
  | { readonly state: "login_needed" }
  | { readonly state: "skipped" }
  | { readonly state: "failed"; readonly error: string };

/** An option of a session. */
export interface OfferedOption {
  readonly id: string;
  readonly name: string;
  readonly type: "select" | "boolean";
  readonly value: string | boolean;
  readonly choices: readonly (string | boolean)[];
}

/** A deviation from the protocol, named by the compatibility rule or the diagnostic that detected it. */
export interface Oddity {
  readonly rule: string;
  readonly message: string;
  readonly count: number;
}

/** How the agent's process ended after its input ended. */
export interface ExitFindings {
  /** Whether it exited without a signal. */
  readonly byItself: boolean;
  readonly ms: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
}
