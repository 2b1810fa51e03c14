import type { AgentCapabilities, Implementation } from "@acp-kit/types";

/** What `acp-kit doctor` finds out; `--json` prints it as it is. */
export interface Examination {
  /** The command, as it was given; empty for an agent behind a URL. */
  readonly command: readonly string[];
  /** The address of a remote agent, without its query. */
  readonly url?: string;
  /** From the start of the process to the answer of `initialize`; `null` when that never came. */
  readonly startupMs: number | null;
  readonly protocolVersion: number | null;
  /** What the agent calls itself. */
  readonly agent: Implementation | null;
  readonly capabilities: AgentCapabilities | null;
  readonly authMethods: readonly AuthWay[];
  /** What a new session offers. */
  readonly session: SessionFindings | null;
  /** What is outside the protocol, each once. */
  readonly oddities: readonly Oddity[];
  /** `null` also for a remote agent, whose process is out of sight. */
  readonly exit: ExitFindings | null;
  /** Why it went no further. */
  readonly error?: string;
}

/** A way to log in; `kind` is who does it: the agent, its command in a terminal, a variable in its environment. */
export interface AuthWay {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "terminal" | "env_var" | "unknown";
}

/** What a new session offers, or why there is none. */
export type SessionFindings =
  | {
      readonly state: "opened";
      /** What can be set: modes and models, whichever way the agent tells them, and everything else. */
      readonly options: readonly OfferedOption[];
      readonly commands: readonly string[];
    }
  | { readonly state: "login_needed" }
  | { readonly state: "skipped" }
  | { readonly state: "failed"; readonly error: string };

/** One thing that can be set about a session. */
export interface OfferedOption {
  readonly id: string;
  readonly name: string;
  readonly type: "select" | "boolean";
  readonly value: string | boolean;
  readonly choices: readonly (string | boolean)[];
}

/** Something the agent did outside the protocol, by the rule or the diagnostic that noticed it. */
export interface Oddity {
  readonly rule: string;
  readonly message: string;
  readonly count: number;
}

/** How the agent's process ended when its input ended. */
export interface ExitFindings {
  /** It needed no signal. */
  readonly byItself: boolean;
  readonly ms: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
}
