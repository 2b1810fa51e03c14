/** An agent of the user's own: a command, or changes to an agent of the registry. */
export interface AgentSettings {
  /** The program to start. Without it, `agent` names the agent to start. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The agent of the registry that these settings change. Default: the one of the same name. */
  readonly agent?: string;
  /** How `acp-kit` decides permission requests: a value of `--permissions`. */
  readonly permissions?: string;
  readonly model?: string;
  readonly mode?: string;
}

/** Agents by name, and where they were found. */
export interface FoundSettings {
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** The file that they are from. */
  readonly file: string;
}
