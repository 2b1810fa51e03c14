import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { agentDecoders, clientDecoders } from "@acp-kit/types/decode";
import fc from "fast-check";
import { expect, it } from "vitest";
import { garbage, Judge, judgingAgent, judgingClient, toAgent, toClient } from "./harness/garbage.js";
import { connectRaw } from "./harness/raw-agent.js";
import { profiles } from "./harness/remote.js";

const RUNS = 15;
const initialize = { jsonrpc: "2.0", id: "init", method: "initialize", params: { protocolVersion: 1 } };
const newSession = { jsonrpc: "2.0", id: "new", method: "session/new", params: { cwd: "/work", mcpServers: [] } };

it("strict.garbage: random bodies and nearly valid messages get a status below 500, and no handler receives an undecoded value", async () => {
  const judge = new Judge(agentDecoders.params);
  await using server = await serveHttp(createAgent(judgingAgent(judge)));
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.url, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
  await fc.assert(
    fc.asyncProperty(garbage(toAgent), async (values) => {
      const opened = await post(initialize);
      const connection = { "acp-connection-id": opened.headers.get("acp-connection-id") ?? "" };
      expect((await post(newSession, connection)).status).toBe(202);
      for (const [n, value] of values.entries()) {
        const headers = { ...connection, ...(n % 4 !== 0 && { "acp-session-id": "session-1" }) };
        const { status } = await post(value, headers);
        expect([n, status, status === 202 || (status >= 400 && status < 500) || status === 501]).toEqual([
          n,
          status,
          true,
        ]);
      }
      expect((await post({ ...newSession, id: "last" }, connection)).status).toBe(202);
      await fetch(server.url, { method: "DELETE", headers: connection });
    }),
    { numRuns: RUNS },
  );
  expect(judge.untyped).toEqual([]);
  expect(judge.reached).toBeGreaterThan(50);
  await using client = await connectAgent(httpAgent(server.url));
  await client.newSession({ cwd: "/work" });
});

it("strict.garbage: random frames and nearly valid messages close no WebSocket, and no handler receives an undecoded value", async () => {
  const judge = new Judge(agentDecoders.params);
  await using server = await serveHttp(createAgent(judgingAgent(judge)));
  await fc.assert(
    fc.asyncProperty(garbage(toAgent), async (values) => {
      const source = webSocketAgent(server.webSocketUrl);
      const transport = await source.open();
      const ids: unknown[] = [];
      const last = new Promise<void>((resolve, reject) => {
        transport.start({
          message(value) {
            const { id } = value as { id?: unknown };
            ids.push(id);
            if (id === "last") resolve();
          },
          malformed() {},
          ended: () => reject(new Error("The server has closed the socket.")),
          failed: reject,
        });
      });
      for (const value of [initialize, newSession, ...values, { ...newSession, id: "last" }])
        transport.send(value as never);
      await last;
      expect(ids).toEqual(expect.arrayContaining(["init", "new"]));
      await source.close();
    }),
    { numRuns: RUNS },
  );
  expect(judge.untyped).toEqual([]);
  expect(judge.reached).toBeGreaterThan(50);
  await using client = await connectAgent(webSocketAgent(server.webSocketUrl));
  await client.newSession({ cwd: "/work" });
});

it.each(profiles)(
  "strict.garbage: random messages of an agent over %s do not stop a client, and no handler receives an undecoded value",
  async (kind) => {
    let reached = 0;
    const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
    await fc.assert(
      fc.asyncProperty(garbage(toClient), async (values) => {
        const judge = new Judge(clientDecoders.params);
        await using agent = await connectRaw(kind, judgingClient(judge));
        agent.peer.answer("session/new", { sessionId: "session-1" });
        await agent.client.newSession({ cwd: "/work" });
        for (const value of values.filter(isObject)) agent.peer.sendValue(value); // A transport only carries objects.
        await agent.peer.fence();
        expect(agent.client.state).toBe("initialized");
        expect(judge.untyped).toEqual([]);
        reached += judge.reached;
      }),
      { numRuns: RUNS },
    );
    expect(reached).toBeGreaterThan(50);
  },
);
