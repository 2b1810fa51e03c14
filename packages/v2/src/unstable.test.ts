import { type Agent, createAgent } from "@acp-kit/agent";
import { acceptForks, acceptSystemPrompt } from "@acp-kit/agent/unstable";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { forkSession, systemPrompt } from "@acp-kit/client/unstable";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { describe, expect, onTestFinished, test } from "vitest";
import { v2 as v2Agent } from "./agent/index.js";
import { v2 } from "./client/index.js";

/** Connects our client of version 2 with an agent. */
async function connect(agent: Agent): Promise<AgentConnection> {
  const [agentEnd, clientEnd] = linkedTransports();
  agent.connect(agentEnd);
  const connection = await connectAgent(clientEnd, { info: { name: "c", version: "1" }, versions: [v2] });
  onTestFinished(() => connection.close());
  expect(connection.protocolVersion).toBe(2);
  return connection;
}

const definition = {
  info: { name: "a", version: "1" },
  newSession: () => ({ sessionId: "s1" }),
  prompt: async (turn: {
    readonly sessionId: string;
    readonly systemPrompt: unknown;
    message(text: string): unknown;
  }) => void turn.message(`${turn.sessionId} ${JSON.stringify(turn.systemPrompt)}`),
};

describe("session/fork on version 2", () => {
  test("a fork is a session of its own, with the MCP servers and folders of the request", async () => {
    const seen: object[] = [];
    const unstable = [
      acceptForks((params) => {
        seen.push(params);
        return { sessionId: "s2" };
      }),
      acceptSystemPrompt(),
    ];
    const agent = await connect(createAgent({ ...definition, unstable }, { versions: [v2Agent] }));
    const session = await agent.newSession({ cwd: "/work", systemPrompt: systemPrompt("Be brief.") });
    expect(await session.prompt("?").text()).toBe('s1 {"mode":"append","text":"Be brief."}');
    const mcpServers = [{ name: "m", command: "/bin/m", args: [], env: [] }];
    const fork = await forkSession(agent, { sessionId: "s1", cwd: "/other", mcpServers });
    expect(seen).toMatchObject([{ sessionId: "s1", cwd: "/other", mcpServers }]);
    expect(await fork.prompt("?").text()).toBe("s2 undefined");
    expect(await session.prompt("?").text()).toContain("s1");
  });

  test("an agent without the feature gets no request", async () => {
    const agent = await connect(createAgent(definition, { versions: [v2Agent] }));
    const fork = forkSession(agent, { sessionId: "s1", cwd: "/" });
    await expect(fork).rejects.toMatchObject({ name: "CapabilityError" });
    const request = agent.peer.request("session/fork" as never, { sessionId: "s1", cwd: "/", mcpServers: [] } as never);
    await expect(request).rejects.toMatchObject({ code: -32601 });
  });
});
