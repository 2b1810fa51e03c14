import { usageFailure } from "../command-failure.js";

/** The agent's name and the words of the prompt, as the words of a command line give them. */
export interface AgentAndPrompt {
  /** The name of the agent; `undefined` if the words do not name it. */
  readonly agent: string | undefined;
  readonly prompt: readonly string[];
}

/** The places other than the words that can contain the prompt. */
interface OtherPrompt {
  readonly hasOption: boolean;
}

/**
 * Splits the words of a command line that names no agent in another way: the first word is the agent's name, and the
 * others are the prompt, as in `acp-kit run opencode "Hello"`. A single word without `--prompt` is refused: it could be
 * the name or the prompt.
 *
 * @throws {CommandFailure} when the single word is ambiguous.
 */
export function agentAndPrompt(words: readonly string[], { hasOption }: OtherPrompt): AgentAndPrompt {
  const [first, ...prompt] = words;
  // A sentence or a path is no name
  if (first === undefined || !/^[\w.@-]+$/.test(first)) return { agent: undefined, prompt: words };
  if (prompt.length > 0 || hasOption) return { agent: first, prompt };
  throw usageFailure(
    `The agent is missing, or the prompt: "${first}" can be either. Give both, as in: acp-kit run gemini "Hello"\n` +
      `If "${first}" is the agent, and the prompt is in standard input: acp-kit run --agent ${first}`,
  );
}
