/** The command of the agent that the client under test has to start. */
export interface AgentCommand {
  readonly words: readonly string[];
  /** The command as one string, quoted for shells and most other argument parsers. */
  readonly text: string;
}

/** @internal */
export function agentCommand(words: readonly string[]): AgentCommand {
  return { words, text: words.map(quoted).join(" ") };
}

/** The values of the placeholders in a client's command. */
export interface Placeholders {
  readonly agent: AgentCommand;
  readonly prompt: string;
  /** An empty folder for the client's session. */
  readonly cwd: string;
  /** Whether the agent's command is appended if no argument has a placeholder for it. */
  readonly append: boolean;
}

/**
 * Returns the command of the client. `{agent}`, an argument by itself, becomes the arguments of the agent's command;
 * `{agent-string}`, `{prompt}` and `{cwd}` may be parts of arguments.
 */
export function clientCommand(words: readonly string[], { agent, prompt, cwd, append }: Placeholders): string[] {
  const filled = words.flatMap((word) =>
    word === "{agent}"
      ? agent.words
      : [
          word
            .replaceAll("{agent-string}", () => agent.text)
            .replaceAll("{prompt}", () => prompt)
            .replaceAll("{cwd}", () => cwd),
        ],
  );
  const placed = words.some((word) => word === "{agent}" || word.includes("{agent-string}"));
  return placed || !append ? filled : [...filled, ...agent.words];
}

/** Returns the environment variables in which a client can find the agent's command. */
export function agentEnvironment(agent: AgentCommand): Record<string, string> {
  return { ACP_KIT_AGENT: agent.text, ACP_KIT_AGENT_JSON: JSON.stringify(agent.words) };
}

const quoted = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`);
