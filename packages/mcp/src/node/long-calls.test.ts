import { connectAgent } from "@acp-kit/client";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { mcpTools } from "@acp-kit/mcp";
import { afterEach, expect, it, vi } from "vitest";
import { ScriptedAgent } from "../../test/agent.js";
import { localAgent } from "../../test/local-agent.js";
import { mcpBridge } from "./mcp-bridge.js";
import { serveMcp } from "./serve-mcp.js";

afterEach(() => {
  vi.useRealTimers();
});

const TEN_MINUTES_MS = 600_000;

it.each(["acp", "http", "bridge"])("mcp.no-deadline: a call of ten minutes works over %s", async (way) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "performance"] });
  const begun = deferred();
  const result = deferred<string>();
  const tools = mcpTools("slow", {
    wait: {
      description: "Waits for a person",
      run: () => {
        begun.resolve();
        return result.promise;
      },
    },
  });
  const agent = way === "acp" ? new ScriptedAgent() : localAgent({ http: true });
  const transport = way === "bridge" ? mcpBridge()(agent.client) : agent.client;
  const client = await connectAgent(transport, { mcp: serveMcp(tools) });
  await client.newSession({ cwd: "/a" });
  const [server] = agent.declared();
  const call = way === "acp" ? overAcp(agent, server?.serverId) : overHttp(server as unknown as HttpEntry);
  await begun.promise;
  await vi.advanceTimersByTimeAsync(TEN_MINUTES_MS);
  result.resolve("done after ten minutes");
  expect(await call).toContain("done after ten minutes");
  await client.close();
});

interface HttpEntry {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

async function overAcp(agent: ScriptedAgent, serverId: unknown): Promise<string> {
  return JSON.stringify(await agent.call(serverId, "tools/call", { name: "wait" }));
}

async function overHttp({ url, headers }: HttpEntry): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } }),
  });
  return response.text();
}
