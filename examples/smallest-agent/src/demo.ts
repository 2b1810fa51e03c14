// Starts the agent as an editor does, and checks its message.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

const script = fileURLToPath(new URL("./agent.ts", import.meta.url));
await using agent = await connectAgent(spawnAgent({ command: process.execPath, args: ["--import", "tsx", script] }));
const session = await agent.newSession({ cwd: process.cwd() });
const turn = session.prompt("Hello!");

const updates = [];
for await (const update of turn) updates.push(update);
assert.deepEqual(updates, [
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "You said: Hello!" } },
]);
assert.deepEqual(await turn.result, { stopReason: "end_turn" });
assert.equal(agent.info?.name, "smallest-agent");
console.log("smallest-agent: one prompt, one message, end_turn");
