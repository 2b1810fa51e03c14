// #region subagents
import { type AgentSource, connectAgent } from "@acp-kit/client";
import { subagents } from "@acp-kit/client/unstable";

/** Shows each child session with its state whenever something changes. */
export async function watchChildren(source: AgentSource, cwd: string, show: (line: string) => void): Promise<void> {
  const agent = await connectAgent(source, { unstable: [subagents] });
  const { transcript } = await agent.newSession({ cwd });
  transcript.subscribe(() => {
    for (const { title, state } of Object.values(transcript.snapshot.children ?? {})) show(`${title}: ${state}`);
  });
}
// #endregion subagents
