// #region client
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

const [command = "acp-everything-agent", ...args] = process.argv.slice(2);

await using agent = await connectAgent(spawnAgent({ command, args }));
const session = await agent.newSession({ cwd: process.cwd() });
const turn = session.prompt("/stream");

for await (const update of turn) {
  if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
  process.stdout.write(update.content.text);
}
console.log(`\n(${(await turn.result).stopReason})`);
// #endregion client
