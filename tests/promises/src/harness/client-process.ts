// A client program that starts the agent of its argument, runs some turns and closes. It should then exit by itself.
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

const [agentProgram = ""] = process.argv.slice(2);
const client = await connectAgent(spawnAgent({ command: process.execPath, args: [agentProgram] }), {
  permissions: () => new Promise(() => {}),
});
const session = await client.newSession({ cwd: "/work" });
await session.prompt("stream 3", { idleTimeoutMs: 60_000, signal: new AbortController().signal }).result;
const cancelled = session.prompt("wait");
for await (const update of cancelled) if (update.sessionUpdate === "agent_message_chunk") cancelled.cancel();
const unanswered = session.prompt("ignore", { idleTimeoutMs: 60_000, cancelTimeoutMs: 60_000 });
for await (const _ of unanswered) break;
unanswered.cancel();
void session.prompt("ask"); // This turn waits for the one before.
await client.close();
process.stdout.write((await cancelled.result).stopReason);
