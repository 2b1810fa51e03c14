/** The command that the client under test has to start as its agent. */
export interface AgentCommand {
  readonly words: readonly string[];
  /** The same as one string, quoted for shells and for most things that split strings into words. */
  readonly text: string;
}

/** @internal */
export function agentCommand(words: readonly string[]): AgentCommand {
  return { words, text: words.map(quoted).join(" ") };
}

/** What the words of a client's command may ask for. */
export interface Placeholders {
  readonly agent: AgentCommand;
  readonly prompt: string;
  /** An empty folder for the client's session. */
  readonly cwd: string;
  /** Whether the agent's words come last where no placeholder asks for them. */
  readonly append: boolean;
}

/**
 * The words to start the client with. `{agent}`, a word by itself, becomes the words of the agent's command;
 * `{agent-string}`, `{prompt}` and `{cwd}` may be parts of words.
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

/** How a client finds its agent in the environment, where it looks there. */
export function agentEnvironment(agent: AgentCommand): Record<string, string> {
  return { ACP_KIT_AGENT: agent.text, ACP_KIT_AGENT_JSON: JSON.stringify(agent.words) };
}

const quoted = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`);
