// #region client
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

const [command = "acp-everything-agent", ...args] = process.argv.slice(2);

const agent = await connectAgent(spawnAgent({ command, args }));
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt("/stream");

  for await (const text of turn.textStream) process.stdout.write(text);
  console.log(`\n(${(await turn.result).stopReason})`);
} finally {
  await agent.close(); // ends the agent's process, too
}
// #endregion client
