import { type ClientConnection, createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/protocol";
import { agentDecoders, clientDecoders } from "@acp-kit/types/decode";
import fc from "fast-check";
import { expect, it } from "vitest";
import { garbage, Judge, judgingAgent, judgingClient, toAgent, toClient } from "./harness/garbage.js";
import { RawPeer } from "./harness/raw-peer.js";

it("strict.garbage: RPC-17 random values and nearly valid messages do not stop an agent, and no handler receives an undecoded value", async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(garbage(toAgent), async (values) => {
      const judge = new Judge(agentDecoders.params);
      const [ours, theirs] = linkedTransports();
      const agent: ClientConnection = createAgent(judgingAgent(judge)).connect(theirs);
      const peer = new RawPeer();
      peer.connect(ours);
      await peer.request("initialize", { protocolVersion: 1 });
      await peer.request("session/new", { cwd: "/work", mcpServers: [] });
      for (const value of values) peer.sendValue(value);
      const list = await peer.request("session/list", {});
      await agent.close();
      expect(list.result).toEqual({ sessions: [] });
      expect(judge.untyped).toEqual([]);
      reached += judge.reached;
    }),
    { numRuns: 300 },
  );
  expect(reached).toBeGreaterThan(1_000); // Some messages reached a handler.
});

it("strict.garbage: UPD-03 random values and nearly valid messages do not stop a client, and no handler receives an undecoded value", async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(garbage(toClient), async (values) => {
      const judge = new Judge(clientDecoders.params);
      const [ours, theirs] = linkedTransports();
      const peer = new RawPeer();
      peer.connect(theirs);
      peer.answer("initialize", { protocolVersion: 1 });
      peer.answer("session/new", { sessionId: "session-1" });
      const client = await connectAgent(ours, judgingClient(judge));
      await client.newSession({ cwd: "/work" });
      for (const value of values) peer.sendValue(value);
      await peer.fence();
      expect(client.state).toBe("initialized");
      await client.close();
      expect(judge.untyped).toEqual([]);
      reached += judge.reached;
    }),
    { numRuns: 300 },
  );
  expect(reached).toBeGreaterThan(1_000);
});
