import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { Connection, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { createProxy, withProxies } from "@acp-kit/proxy";
import { expect, it } from "vitest";

const info = { name: "test", version: "1.0.0" };

/** An agent behind a proxy that notes when `initialize` is forwarded and answered. */
function chain(events: string[]): Transport {
  const [near, far] = linkedTransports();
  createAgent({ info, newSession: () => ({ sessionId: "s" }), prompt: async () => {} }).connect(far);
  const proxy = createProxy({
    info,
    fromClient: {
      initialize: async (_, next) => {
        events.push("before");
        const result = await next();
        events.push("after");
        return result;
      },
    },
  });
  return withProxies(near, [proxy, createProxy({ info: { ...info, name: "empty" } })]);
}

it("proxy.opening: a chain forwards initialize before it answers, and what comes too early, twice or for a conductor gets typed errors", async () => {
  const events: string[] = [];
  const client = new Connection(chain(events));
  client.listen();
  const code = (method: string, params: object): Promise<unknown> =>
    client.request(method, params).then(
      () => "result",
      (error: { code: number }) => error.code,
    );
  expect(await code("session/new", { cwd: "/", mcpServers: [] })).toBe(-32600);
  const offer = { protocolVersion: 1, clientCapabilities: {} };
  const first = client.request("initialize", offer);
  expect(await code("initialize", offer)).toBe(-32600);
  expect(await first).toMatchObject({ protocolVersion: 1, agentInfo: info });
  expect(events).toEqual(["before", "after"]);
  expect(await code("initialize", offer)).toBe(-32600);
  for (const method of ["proxy/initialize", "proxy/successor", "_proxy/initialize"])
    expect(await code(method, { protocolVersion: 1 })).toBe(-32601);
  expect(await code("session/new", { cwd: "/", mcpServers: [] })).toBe("result");
  await client.close();
});

it("proxy.opening: an agent that ends before it answers initialize fails the connection, and nothing waits", async () => {
  const [near, far] = linkedTransports();
  const connecting = connectAgent(withProxies(near, [createProxy({ info })]));
  const failed = expect(connecting).rejects.toMatchObject({ name: "ConnectionError" });
  await far.close();
  await failed;
});
