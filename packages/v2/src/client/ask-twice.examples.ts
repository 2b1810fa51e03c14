import { connectAgent, type Transport } from "@acp-kit/client";
import { v2 } from "@acp-kit/v2/client";

/** Sends two prompts to an agent of version 1 or 2, and returns their texts. */
export async function askTwice(agent: Transport, show: (line: string) => void): Promise<string[]> {
  // #region client
  await using connection = await connectAgent(agent, {
    info: { name: "editor", version: "1.0.0" },
    versions: [v2], // version 1 is always offered, too
    concurrentPrompts: "send",
  });
  const session = await connection.newSession({ cwd: "/work" });
  const first = session.prompt("Fix the tests");
  const second = session.prompt("and the docs"); // sent at once; `held` until the agent inserts it
  void second.inserted.then(() => show("The agent has the second prompt"));
  session.background.subscribe(() => show(`${session.background.snapshot?.length ?? 0} in the background`));
  return await Promise.all([first.text(), second.text()]);
  // #endregion client
}
