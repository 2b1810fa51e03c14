// Our client and the everything agent with a bridge between them, compared with the same conversation without one.
import { connectAgent, type Session } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import { bridgeVersions } from "@acp-kit/v2/bridge";
import { v2 } from "@acp-kit/v2/client";
import { describe, expect, it, onTestFinished } from "vitest";

type Version = 1 | 2;

/** Commands whose result doesn't depend on what only one version offers. */
const prompts = [
  "hello",
  "/stream",
  "/think",
  "/plan",
  "/tools",
  "/content",
  "/usage",
  "/max-tokens",
  "/permission",
  "/unicode",
];

/** A client that offers only version 2. Ours offers both, so it never needs a bridge. */
function withoutVersion1(agent: Transport): Transport {
  const send = agent.send.bind(agent);
  agent.send = (message: Message, text) => {
    const { method, params } = message as { method?: string; params?: object };
    if (method !== "initialize") return send(message, text);
    const { clientInfo, clientCapabilities, ...rest } = params as Record<string, unknown>;
    return send({ ...message, params: rest } as Message);
  };
  return agent;
}

async function open(client: Version, agent: Version, isBridged: boolean): Promise<Session> {
  const [agentEnd, clientEnd] = linkedTransports();
  const served = everythingAgent({ paceMs: 0 }).connect(agentEnd);
  const transport = isBridged ? bridgeVersions(clientEnd, { prefer: agent }) : clientEnd;
  const connection = await connectAgent(client === 2 ? withoutVersion1(transport) : transport, {
    info: { name: "both", version: "1.0.0" },
    permissions: async () => "allow_once",
    versions: client === 2 ? [v2] : [],
  });
  onTestFinished(() => connection.close());
  expect([connection.protocolVersion, served.protocolVersion]).toEqual([client, agent]);
  return connection.newSession({ cwd: "/work" });
}

/** The texts and stop reasons of all prompts, and their tool calls with the permission requests. */
async function outcomes(session: Session): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const prompt of prompts) {
    const turn = session.prompt(prompt);
    const text = await turn.text();
    const { stopReason } = await turn.result;
    all.push({ prompt, text, stopReason });
  }
  for (const entry of session.transcript.snapshot.entries) {
    if (entry.type !== "tool_call") continue;
    const { title, kind, status, content, locations, rawInput, permission } = entry;
    all.push({ title, kind, status, content, locations, rawInput, permission });
  }
  return all;
}

describe("V2-REQ-27: through a bridge, the everything agent gives the same as without one, to", () => {
  it.each([
    { client: 1, agent: 1 },
    { client: 1, agent: 2 },
    { client: 2, agent: 1 },
    { client: 2, agent: 2 },
  ] as const)("a client of version $client with an agent of version $agent", async ({ client, agent }) => {
    const direct = await outcomes(await open(client, client, false));
    const bridged = await outcomes(await open(client, agent, true));
    expect(bridged).toEqual(direct);
  });
});
