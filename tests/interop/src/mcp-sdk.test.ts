import { connectAgent } from "@acp-kit/client";
import { mcpTools, serveMcp, ToolError } from "@acp-kit/mcp";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { type AgentContext, agent, McpOverAcpCaller, methods } from "sdk-2/unstable";
import { expect, it } from "vitest";

const aborted: unknown[] = [];
const tools = mcpTools("desk", {
  add: {
    description: "Adds numbers",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    run: ({ a, b }, { session, progress }) => {
      progress(1, 1, "added");
      return { sum: Number(a) + Number(b), cwd: session.cwd };
    },
  },
  refuse: {
    description: "Refuses",
    run: () => {
      throw new ToolError("Not today.");
    },
  },
  wait: {
    description: "Waits until it is cancelled",
    run: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason))),
  },
});

/** An agent on the official SDK whose turns call the tools of the client with the helpers of the SDK. */
async function opened(onPrompt: (call: Call) => Promise<void>) {
  const caller = new McpOverAcpCaller({ clientInfo: { name: "sdk", version: "1" } });
  const servers: { serverId: string; name: string; type: string }[] = [];
  const app = agent({ name: "sdk-2" })
    .onRequest(
      "initialize",
      () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { acp: true } } }) as never,
    )
    .onRequest("session/new", ({ params }) => {
      servers.push(...(params.mcpServers as never[]));
      return { sessionId: "s" };
    })
    .onNotification(methods.agent.mcp.message as never, caller.handleNotification as never)
    .onRequest("session/prompt", async ({ client }) => {
      await onPrompt((method, params, options) =>
        caller.request(client as AgentContext, servers[0]?.serverId ?? "", method, params, options),
      );
      return { stopReason: "end_turn" };
    });
  const [clientSide, agentSide] = linkedTransports();
  app.connect(toMessageStream(agentSide) as never);
  const client = await connectAgent(clientSide, { mcp: serveMcp(tools) });
  const session = await client.newSession({ cwd: "/work" });
  return { client, session, servers };
}

type Call = (
  method: string,
  params?: Record<string, unknown>,
  options?: Parameters<McpOverAcpCaller["request"]>[4],
) => ReturnType<McpOverAcpCaller["request"]>;

it("mcp.sdk: the caller of the official SDK discovers, lists and calls tools, with progress, errors and cancellation", async () => {
  const outcomes: unknown[] = [];
  const notifications: unknown[] = [];
  const { client, session, servers } = await opened(async (call) => {
    outcomes.push(await call("server/discover"));
    outcomes.push(await call("tools/list"));
    const params = { name: "add", arguments: { a: 1, b: 2 }, _meta: { progressToken: "p" } };
    outcomes.push(await call("tools/call", params, { onNotification: (each) => notifications.push(each) }));
    outcomes.push(await call("tools/call", { name: "refuse" }));
    outcomes.push(await call("tools/call", { name: "missing" }));
    const controller = new AbortController();
    const waiting = call("tools/call", { name: "wait" }, { signal: controller.signal });
    await call("tools/list");
    controller.abort();
    outcomes.push(await waiting.catch((error: { code: number }) => error.code));
  });
  await session.prompt("go").result;
  expect(servers).toMatchObject([{ type: "acp", name: "desk" }]);
  expect(outcomes).toMatchObject([
    { result: { supportedVersions: ["2026-07-28"] } },
    { result: { tools: [{ name: "add" }, { name: "refuse" }, { name: "wait" }] } },
    { result: { structuredContent: { sum: 3, cwd: "/work" } } },
    { result: { isError: true, content: [{ text: "Not today." }] } },
    { error: { code: -32602 } },
    -32800,
  ]);
  expect(notifications).toMatchObject([
    { method: "notifications/progress", params: { progress: 1, message: "added" } },
  ]);
  expect(aborted).toHaveLength(1);
  await client.close();
});

it("mcp.sdk: a server of an ended session is unavailable to the caller of the official SDK", async () => {
  let late: Call | undefined;
  const { client, session } = await opened(async (call) => {
    late = call;
  });
  await session.prompt("go").result;
  await session.close();
  await expect(late?.("tools/list")).rejects.toMatchObject({ code: -33001 });
  await client.close();
});
