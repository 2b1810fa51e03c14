import { addInstructions } from "@acp-kit/proxy/middleware";
import { expect, test } from "vitest";
import { agentResult, delivered, initialize, type RawChain, rawChain } from "../../test/raw-peer.js";
import type { InstructionsWay } from "./add-instructions.js";

const text = "Be brief.";
const user = { type: "text", text: "/compact" };

async function opened(result: object, ways: InstructionsWay[] = []): Promise<RawChain> {
  const chain = rawChain([addInstructions(text, { onWay: (way) => ways.push(way) })]);
  await initialize(chain, { result: { ...agentResult, ...result } });
  return chain;
}

test("with the capability: appended to the client's own system prompt, which keeps its mode", async () => {
  const ways: InstructionsWay[] = [];
  const { client, agent } = await opened({ agentCapabilities: { sessionCapabilities: { systemPrompt: {} } } }, ways);
  const own = { mode: "override", content: [{ type: "text", text: "You are a pirate." }], _odd: 1 };
  client.request(1, "session/new", { cwd: "/", mcpServers: [], systemPrompt: own });
  client.request(2, "session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
  client.request(3, "session/prompt", { sessionId: "s", prompt: [user] });
  await delivered();
  expect(agent.params("session/new").systemPrompt).toEqual({
    ...own,
    content: [...own.content, { type: "text", text }],
  });
  expect(agent.params("session/load").systemPrompt).toEqual({ mode: "append", content: [{ type: "text", text }] });
  expect(agent.params("session/prompt").prompt).toEqual([user]);
  expect(ways).toEqual(["system_prompt", "system_prompt"]);
});

test.each([
  [undefined, { append: text }],
  [
    { systemPrompt: { append: "Be kind.", excludeDynamicSections: true } },
    { append: `Be kind.\n\n${text}`, excludeDynamicSections: true },
  ],
  [{ systemPrompt: "You are a pirate." }, `You are a pirate.\n\n${text}`],
])("for agents that read _meta: %j is appended to", async (meta, expected) => {
  const agentInfo = { name: "@agentclientprotocol/claude-agent-acp", version: "0.1.0" };
  const { client, agent } = await opened({ agentInfo });
  client.request(1, "session/new", { cwd: "/", mcpServers: [], ...(meta && { _meta: meta }) });
  await delivered();
  expect(agent.params("session/new")._meta).toEqual({ ...meta, systemPrompt: expected });
});

test("for other agents: after the user's blocks of the first prompt, not in later ones, and not after a load", async () => {
  const ways: InstructionsWay[] = [];
  const { client, agent } = await opened({}, ways);
  client.request(1, "session/new", { cwd: "/", mcpServers: [] });
  await delivered();
  agent.respond(1, { sessionId: "s" });
  client.request(2, "session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
  await delivered();
  for (const [id, sessionId] of [
    [3, "s"],
    [4, "s"],
    [5, "old"],
  ] as const)
    client.request(id, "session/prompt", { sessionId, prompt: [user] });
  await delivered();
  expect(agent.of("session/prompt").map(({ params }) => (params as { prompt: unknown }).prompt)).toEqual([
    [user, { type: "text", text }],
    [user],
    [user],
  ]);
  expect(ways).toEqual(["prompt", "prompt"]);
});
