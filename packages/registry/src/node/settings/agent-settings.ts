/** The settings of an agent: a command that starts it, or the name of another agent with changes to its settings. */
export interface AgentSettings {
  /** The program to start. Without it, `agent` names the agent to start. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The name of the agent that these settings change. Default: the name of these settings. */
  readonly agent?: string;
  /** How `acp-kit` decides permission requests: a value of `--permissions`. */
  readonly permissions?: string;
  readonly model?: string;
  readonly mode?: string;
}

/** The agents in a settings file, by their names. */
export interface FoundSettings {
  readonly agents: Readonly<Record<string, AgentSettings>>;
  /** The path of the settings file. */
  readonly file: string;
}
