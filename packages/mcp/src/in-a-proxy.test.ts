import { connectAgent } from "@acp-kit/client";
import { createProxy, withProxies } from "@acp-kit/proxy";
import { expect, test } from "vitest";
import { ScriptedAgent } from "../test/agent.js";
import { mcpTools } from "./mcp-tools.js";
import { serveMcp } from "./serve-mcp.js";

const info = { name: "tools", version: "1.0.0" };
const where = mcpTools("where", {
  folder: { description: "Returns the folder", run: (_, { session }) => session.cwd },
});

test("mcp.proxy: an ACP proxy brings tools for clients without any, and the client sees no call", async () => {
  const agent = new ScriptedAgent();
  const rules = createProxy({ info, mcp: serveMcp(where) });
  const seen: string[] = [];
  const client = await connectAgent(withProxies(agent.client, [rules]), {
    tap: ({ message }) => seen.push(JSON.stringify(message)),
  });
  const session = await client.newSession({ cwd: "/work" });
  const [server] = agent.declared();
  expect(server).toMatchObject({ type: "acp", name: "where" });
  const { result } = await agent.call(server?.serverId, "tools/call", { name: "folder" });
  expect(result).toMatchObject({ result: { content: [{ text: "/work" }] } });
  expect(seen.join()).not.toContain("mcp/message");
  await session.close();
  expect(await agent.call(server?.serverId, "tools/list")).toMatchObject({ error: { code: -33001 } });
  await client.close();
});

test("mcp.proxy: another proxy in front sees the session without the servers, and an agent of this process can't get them", async () => {
  const agent = new ScriptedAgent();
  const seen: unknown[] = [];
  const front = createProxy({
    info,
    fromClient: {
      "session/new": ({ params }, next) => {
        seen.push(params.mcpServers);
        return next();
      },
    },
  });
  const rules = createProxy({ info, mcp: serveMcp(where) });
  const client = await connectAgent(withProxies(agent.client, [front, rules]));
  await client.newSession({ cwd: "/work" });
  expect(seen).toEqual([[]]);
  expect(agent.declared()).toHaveLength(1);
  await client.close();
  const served = withProxies({ connect: (transport: unknown) => transport }, [rules]);
  expect(() => served.connect(new ScriptedAgent().client as never)).toThrow(
    /brings MCP servers to the agent behind it/,
  );
});
