import type { AgentCapabilities, Implementation, IncomingAuthMethod } from "@acp-kit/schema";

/** What `acp-kit doctor` finds out; `--json` prints it as it is. */
export interface Examination {
  /** The command, as it was given. */
  readonly command: readonly string[];
  /** From the start of the process to the answer of `initialize`; `null` when that never came. */
  readonly startupMs: number | null;
  readonly protocolVersion: number | null;
  /** What the agent calls itself. */
  readonly agent: Implementation | null;
  readonly capabilities: AgentCapabilities | null;
  readonly authMethods: readonly IncomingAuthMethod[];
  /** What a new session offers. */
  readonly session: SessionFindings | null;
  /** What is outside the protocol, each once. */
  readonly oddities: readonly Oddity[];
  readonly exit: ExitFindings | null;
  /** Why it went no further. */
  readonly error?: string;
}

/** What a new session offers, or why there is none. */
export type SessionFindings =
  | {
      readonly state: "opened";
      readonly modes: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
      readonly configOptions: readonly {
        readonly id: string;
        readonly name: string;
        readonly values: readonly string[];
      }[];
      readonly commands: readonly string[];
    }
  | { readonly state: "login_needed" }
  | { readonly state: "skipped" }
  | { readonly state: "failed"; readonly error: string };

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
