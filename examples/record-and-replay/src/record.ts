// #region record
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { openRecordingFile, spawnRecordedAgent } from "@acp-kit/testing/node";
import { recorder } from "@acp-kit/testing/recording";

/** Starts an agent, prompts it, and records the messages, the process and its standard error. */
export async function record(
  path: string,
  { command, args }: { command: string; args: readonly string[] },
  use: (agent: AgentConnection) => Promise<void>,
): Promise<string> {
  const file = openRecordingFile(path);
  const tape = recorder({ in: "client", sink: file });
  const agent = await connectAgent(spawnRecordedAgent({ command, args }, tape), { tap: tape });
  try {
    await use(agent);
  } finally {
    await agent.close();
    await tape.close();
  }
  return file.path; // the name differs if the file existed: a recording never replaces another
}
// #endregion record
