import type { AgentCapabilities, Implementation } from "@acp-kit/types";

/** The result of `acp-kit doctor`, and the format of its `--json`. */
export interface Examination {
  /** The agent's command as it was given; empty for an agent at a URL. */
  readonly command: readonly string[];
  /** The URL of a remote agent, without its query. */
  readonly url?: string;
  /** The milliseconds from the start of the process to the response to `initialize`; `null` without a response. */
  readonly startupMs: number | null;
  readonly protocolVersion: number | null;
  /**
   * The result over version 1 of an agent that has chosen version 2; `null` if it does not speak version 1. Without the
   * member, version 1 was not examined separately.
   */
  readonly version1?: Examination | null;
  /** The name and version that the agent reports for itself. */
  readonly agent: Implementation | null;
  readonly capabilities: AgentCapabilities | null;
  readonly authMethods: readonly AuthWay[];
  /** The findings about a new session; `null` if no session was opened. */
  readonly session: SessionFindings | null;
  /** The deviations of the agent from the protocol. Each deviation is listed once. */
  readonly oddities: readonly Oddity[];
  /** How the agent's process ended after its input; `null` if it ended before, and for a remote agent. */
  readonly exit: ExitFindings | null;
  /** The error that ended the examination early. */
  readonly error?: string;
}

/** A login method. `kind` is how the user logs in: in the agent, by a command in a terminal, or by variables. */
export interface AuthWay {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "terminal" | "env_var" | "unknown";
}

/** The features of a new session, or the reason why no session could be opened. */
export type SessionFindings =
  | {
      readonly state: "opened";
      /** The session's options: modes, models and all others, in any form in which agents send them. */
      readonly options: readonly OfferedOption[];
      readonly commands: readonly string[];
      readonly mcp: McpFindings;
    }
  | { readonly state: "login_needed" }
  | { readonly state: "skipped" }
  | { readonly state: "failed"; readonly error: string };

/** How the agent got an MCP server of this command for the session, and whether it used the server. */
export interface McpFindings {
  /** The transport of the server; `null` if the agent can't reach this machine. */
  readonly way: "acp" | "http" | "stdio" | null;
  /** Whether the agent listed the tools of the server before the first prompt. Some agents do it only then. */
  readonly listsTools: boolean;
}

/** An option of a session. */
export interface OfferedOption {
  readonly id: string;
  readonly name: string;
  readonly type: "select" | "boolean";
  readonly value: string | boolean;
  readonly choices: readonly (string | boolean)[];
}

/** A deviation from the protocol. Its name is that of the compatibility rule or diagnostic. */
export interface Oddity {
  readonly rule: string;
  readonly message: string;
  readonly count: number;
}

/** How the agent's process ended after its input ended. */
export interface ExitFindings {
  /** Whether the process exited without a signal. */
  readonly byItself: boolean;
  /** The milliseconds until the process itself ended, without the time to end the processes that it left running. */
  readonly ms: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Processes that the agent left running outside its group, such as daemons. `ended`: by `doctor`. */
  readonly detachedProcesses: readonly { readonly pid: number; readonly command: string; readonly ended: boolean }[];
}
