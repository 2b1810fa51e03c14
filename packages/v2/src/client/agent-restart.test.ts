import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { expect, it } from "vitest";
import { turn, v1Result, v2Result } from "../../test/bridged.js";
import { chunk, idle, info, running } from "../../test/connected.js";
import { RawPeer } from "../../test/raw-peer.js";
import { v2 } from "./index.js";

/** A client whose agent can be started again; each start gives another scripted agent. */
function restarting(versions: readonly (1 | 2)[]) {
  const agents: RawPeer[] = [];
  const open = async () => {
    const version = versions[agents.length] ?? 2;
    const [agentEnd, clientEnd] = linkedTransports();
    const agent = new RawPeer(agentEnd, `client ${version}`);
    agents.push(agent);
    agent.onMessage = ({ method, id }) => {
      if (method === "initialize") agent.respond(id, version === 2 ? v2Result : v1Result);
      if (method === "session/new") agent.respond(id, { sessionId: "s" });
      if (method !== "session/resume") return;
      if (version === 2) agent.update(idle());
      agent.respond(id, {});
    };
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
    await turn();
    if (versions[0] === 2) {
      agents[0]?.respond(agents[0].asked("session/prompt").id, { messageId: "u1" });
      agents[0]?.update({ ...running, background: [] });
      await turn();
    }
    await agents[0]?.close();
    await expect(lost.result).rejects.toMatchObject({ name: "ConnectionError" });
    const prompt = session.prompt("Two");
    const text = prompt.text();
    await turn();
    const agent = agents[1] as RawPeer;
    expect(session.background.snapshot).toBeUndefined();
    const { id } = agent.asked("session/prompt");
    if (versions[1] === 2) {
      agent.respond(id, { messageId: "u2" });
      agent.update(running);
      agent.update(chunk("Hello"));
      agent.update(idle("end_turn"));
    } else {
      agent.update(chunk("Hello"));
      agent.respond(id, { stopReason: "end_turn" });
    }
    expect(await text).toBe("Hello");
    expect(await prompt.result).toEqual({ stopReason: "end_turn" });
    expect(session.activity).toBe("idle");
    expect(connection.protocolVersion).toBe(versions[1]);
    for (const { faults } of agents) expect(faults).toEqual([]);
  },
);
