// #region library
import { allowReads, connectAgent, spawnAgent } from "acp-kit";

/**
 * Starts an agent, sends it a prompt and returns the text of its messages. The agent may read files, and is closed at
 * the end.
 */
export async function answer(command: string, args: readonly string[], question: string): Promise<string> {
  const agent = await connectAgent(spawnAgent({ command, args }), { permissions: [allowReads()] });
  try {
    const session = await agent.newSession({ cwd: process.cwd() });
    return await session.prompt(question).text();
  } finally {
    await agent.close();
  }
}

// #endregion library

// #region main
import { ExitCode, main } from "acp-kit/cli";

export async function isHealthy(agent: readonly string[]): Promise<boolean> {
  return (await main(["doctor", "--json", "--", ...agent])) === ExitCode.ok;
}
// #endregion main
