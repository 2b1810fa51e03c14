// #region explain
import type { AgentConnection } from "@acp-kit/client";

/** The code under test: it prompts an agent and keeps the answer. */
export async function explain(agent: AgentConnection, cwd: string): Promise<string> {
  const session = await agent.newSession({ cwd });
  const turn = session.prompt("/echo Explain this");
  let text = "";
  for await (const update of turn) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  }
  await turn.result;
  return text;
}
// #endregion explain
