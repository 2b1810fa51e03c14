import { expect, test } from "vitest";
import { ScriptedAgent } from "../test/agent.js";
import { connectWithTools } from "./readme.examples.js";

test("the example: an agent finds a ticket, reads why it found none, and asks for the folder", async () => {
  const agent = new ScriptedAgent();
  await using client = await connectWithTools(agent.client);
  await client.newSession({ cwd: "/work" });
  const [server] = agent.declared();
  expect(server).toMatchObject({ type: "acp", name: "tickets" });
  const text = async (name: string, args: object) => {
    const { result } = await agent.call(server?.serverId, "tools/call", { name, arguments: args });
    return (result as { result: { content: { text: string }[] } }).result.content[0]?.text;
  };
  expect(await text("find", { id: "T-1" })).toBe("The export is empty");
  expect(await text("find", { id: "T-2" })).toBe("There is no ticket T-2. Ids look like T-1.");
  expect(await text("where", {})).toBe("/work");
});
