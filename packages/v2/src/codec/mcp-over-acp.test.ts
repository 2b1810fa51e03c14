import { expect, it } from "vitest";
import { agentCapabilitiesToV1, agentCapabilitiesToV2 } from "./capabilities.js";
import { mcpServersToV1, mcpServersToV2 } from "./mcp-servers.js";

it("mcp.versions: MCP over ACP passes between the versions: the capability and the servers", () => {
  expect(agentCapabilitiesToV2({ mcpCapabilities: { acp: true } } as never).session?.mcp).toEqual({
    stdio: {},
    acp: {},
  });
  expect(agentCapabilitiesToV2({ mcpCapabilities: {} }).session?.mcp).toEqual({ stdio: {} });
  const v1 = agentCapabilitiesToV1({ session: { mcp: { acp: {} } } } as never, false);
  expect(v1.mcpCapabilities).toEqual({ http: false, sse: false, acp: true });
  const server = { type: "acp", name: "page", serverId: "id" };
  expect(mcpServersToV1([server as never])).toEqual([server]);
  expect(mcpServersToV2([server as never])).toEqual([server]);
});
