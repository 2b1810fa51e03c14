import { connectAgent, isConnectionError } from "@acp-kit/client";
import { agentScript, allAgentCapabilities, faulty } from "@acp-kit/testing";
import { expect, it } from "vitest";

const script = agentScript()
  .initialize({ agentCapabilities: allAgentCapabilities })
  .onPrompt(async (turn) => {
    turn.message("Let me see… é🎉");
    const call = turn.toolCall("Look");
    await turn.requestPermission(call);
    turn.toolCallUpdate(call, { status: "completed" });
  });

/**
 * Connects, opens a session and runs a turn. Returns the outcome of each step until the first failure, and the wire.
 */
async function play(atByte: number) {
  const agent = script.inMemory();
  const transport = faulty(agent.transport, [{ fault: "cut", from: "agent", atByte }]);
  const ends: string[] = [];
  const errors: unknown[] = [];
  try {
    const client = await connectAgent(transport, { permissions: async () => "allow_once" });
    ends.push("connected");
    const session = await client.newSession({ cwd: "/work" });
    ends.push("opened");
    const turn = session.prompt("go");
    const waiting = session.prompt("then");
    let updates = 0;
    try {
      for await (const _ of turn) updates += 1;
    } finally {
      ends.push(`read ${updates}`);
    }
    ends.push((await turn.result).stopReason);
    await waiting.result;
    await client.close();
  } catch (error) {
    errors.push(error);
  }
  await agent.closed;
  await transport.close();
  return { ends, errors, agent, transport };
}

it("settle.agent-gone: TRANS-12 if the agent's output is cut at any byte, every pending promise rejects with the same reason", async () => {
  const whole = await play(Number.POSITIVE_INFINITY);
  expect(whole.errors).toEqual([]);
  const encoder = new TextEncoder();
  const bytes = whole.agent.seen
    .filter(({ from }) => from === "agent")
    .map(({ message }) => encoder.encode(JSON.stringify(message)).length + 1)
    .reduce((sum, length) => sum + length, 0);
  const seen = new Set<string>();
  for (let atByte = 0; atByte < bytes; atByte += 1) {
    const { ends, errors, transport } = await play(atByte);
    seen.add(ends.join(", "));
    if (errors.length === 0) continue; // Only the end of the last line was cut.
    expect(errors, transport.describe()).toMatchObject([{ name: "ConnectionError", code: "peer_closed" }]);
    expect(isConnectionError((errors[0] as Error).cause), transport.describe()).toBe(true);
  }
  expect([...seen]).toEqual([
    "",
    "connected",
    "connected, opened, read 0",
    "connected, opened, read 1",
    "connected, opened, read 2",
    "connected, opened, read 3",
    "connected, opened, read 3, end_turn",
  ]);
});
