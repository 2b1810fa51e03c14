// #region explain
import type { AgentConnection } from "@acp-kit/client";

/** The code under test: it prompts an agent and returns the text of its messages. */
export async function explain(agent: AgentConnection, cwd: string): Promise<string> {
  const session = await agent.newSession({ cwd });
  return session.prompt("/echo Explain this").text();
}
// #endregion explain
