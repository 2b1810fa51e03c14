import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import type { WireMessage } from "@acp-kit/testing";
import { expect, it } from "vitest";
import { turn, v1Result, v2Result } from "../../test/bridged.js";
import { chunk, idle, info, running } from "../../test/connected.js";
import { type RawPeer, rawPeer, sendUpdate } from "../../test/peers.js";
import { v2 } from "./index.js";

/** A client whose agent can be started again; each start gives another scripted agent. */
function restarting(versions: readonly (1 | 2)[]) {
  const agents: RawPeer[] = [];
  const open = async () => {
    const version = versions[agents.length] ?? 2;
    const [agentEnd, clientEnd] = linkedTransports();
    const onMessage = ({ method, id }: WireMessage, agent: RawPeer): void => {
      if (method === "initialize") agent.send({ id, result: version === 2 ? v2Result : v1Result });
      if (method === "session/new") agent.send({ id, result: { sessionId: "s" } });
      if (method !== "session/resume") return;
      if (version === 2) sendUpdate(agent, idle());
      agent.send({ id, result: {} });
    };
    agents.push(rawPeer(agentEnd, { onMessage }));
    return clientEnd;
  };
  const client = connectAgent({ open, close: async () => {} }, { info, versions: [v2] });
  return { client, agents };
}

it.each([[[2, 2]], [[2, 1]], [[1, 2]]] as const)(
  "a session continues after a restart of its agent, with the versions %j",
  async (versions) => {
    const { client, agents } = restarting(versions);
    await using connection = await client;
    const session = await connection.newSession({ cwd: "/work" });
    const lost = session.prompt("One");
    const first = agents[0] as RawPeer;
    await turn();
    if (versions[0] === 2) {
      first.respond(first.lastReceived("session/prompt"), { messageId: "u1" });
      sendUpdate(first, { ...running, background: [] });
      await turn();
    }
    await first.close();
    await expect(lost.result).rejects.toMatchObject({ name: "ConnectionError" });
    const prompt = session.prompt("Two");
    const text = prompt.text();
    await turn();
    const agent = agents[1] as RawPeer;
    expect(session.background.snapshot).toBeUndefined();
    const { id } = agent.lastReceived("session/prompt");
    if (versions[1] === 2) {
      agent.respond(id, { messageId: "u2" });
      sendUpdate(agent, running);
      sendUpdate(agent, chunk("Hello"));
      sendUpdate(agent, idle("end_turn"));
    } else {
      sendUpdate(agent, chunk("Hello"));
      agent.respond(id, { stopReason: "end_turn" });
    }
    expect(await text).toBe("Hello");
    expect(await prompt.result).toEqual({ stopReason: "end_turn" });
    expect(session.activity).toBe("idle");
    expect(connection.protocolVersion).toBe(versions[1]);
    for (const agent of agents) expect(agent).toHaveConformantDialogue();
  },
);
