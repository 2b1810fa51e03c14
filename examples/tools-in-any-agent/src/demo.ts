// Gives the tools to the agent of this example, or to any other: `npm run demo -- gemini --acp`.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connectAgent } from "@acp-kit/client";
import { serveMcp } from "@acp-kit/mcp/node";
import { spawnAgent } from "@acp-kit/stdio/node";
import { desk, titles } from "./tools.js";

const [command, ...args] = process.argv.slice(2);
const own = {
  command: process.execPath,
  args: ["--import", "tsx", fileURLToPath(new URL("agent.ts", import.meta.url))],
};

await using agent = await connectAgent(spawnAgent(command === undefined ? own : { command, args }), {
  mcp: serveMcp(desk),
  permissions: async ({ toolCall }) => {
    console.log(`allowed: ${toolCall.title}`);
    return "allow_once";
  },
  onDiagnostic: ({ code, message }) => console.log(`${code}: ${message}`),
});
const session = await agent.newSession({ cwd: process.cwd() });

if (command !== undefined) {
  console.log(await session.prompt("Find the ticket T-1, and rename it to 'Fixed'.").text());
  console.log(titles);
} else {
  const ask = (call: object): Promise<string> => session.prompt(JSON.stringify(call)).text();
  assert.equal(await ask({ name: "find", id: "T-1" }), "The export is empty");
  assert.equal(await ask({ name: "rename", id: "T-1", title: "Fixed" }), 'T-1 is now "Fixed".');
  assert.equal(await ask({ name: "find", id: "T-2" }), "There is no ticket T-2.");
  assert.equal(titles.get("T-1"), "Fixed");
  console.log("The agent found and renamed a ticket of this process.");
}
