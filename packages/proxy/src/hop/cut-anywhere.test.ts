import { connectAgent } from "@acp-kit/client";
import { createProxy, withProxies } from "@acp-kit/proxy";
import { agentScript, faulty } from "@acp-kit/testing";
import { expect, test } from "vitest";
import { info } from "../../test/raw-peer.js";

const script = agentScript()
  .initialize({})
  .onPrompt(async (turn) => {
    turn.message("Let me see… é🎉");
    await turn.requestPermission(turn.toolCall("Look"));
  });

/** One proxy reads and waits, and one only forwards. */
const chain = [
  createProxy({
    info,
    fromAgent: {
      "session/update": async (_, next) => {
        await Promise.resolve();
        return next();
      },
      "session/request_permission": (_, next) => next(),
    },
    fromClient: { "session/prompt": (_, next) => next() },
  }),
  createProxy({ info }),
];

/** Runs two turns through the chain; the agent's output is cut at a byte. Returns how often each request settled. */
async function play(atByte: number) {
  const agent = script.inMemory();
  const transport = faulty(agent.transport, [{ fault: "cut", from: "agent", atByte }]);
  const settled: Record<string, number> = {};
  const errors: unknown[] = [];
  const counted = async <T>(name: string, request: Promise<T>): Promise<T> => {
    const count = (): void => {
      settled[name] = (settled[name] ?? 0) + 1;
    };
    request.then(count, count);
    return await request;
  };
  try {
    const client = await counted(
      "initialize",
      connectAgent(withProxies(transport, chain), { permissions: async () => "allow_once" }),
    );
    const session = await counted("session/new", client.newSession({ cwd: "/work" }));
    const turns = [session.prompt("go"), session.prompt("then")];
    const ends = await Promise.allSettled(turns.map((turn, index) => counted(`prompt ${index}`, turn.result)));
    errors.push(...ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : [])));
    await client.close();
  } catch (error) {
    errors.push(error);
  }
  await agent.closed;
  await transport.close();
  return { settled, errors, agent };
}

test("proxy.settles-once: each request through a chain settles once, wherever the agent's output is cut", async () => {
  const whole = await play(Number.POSITIVE_INFINITY);
  expect(whole.errors).toEqual([]);
  const encoder = new TextEncoder();
  const bytes = whole.agent.seen
    .filter(({ from }) => from === "agent")
    .reduce((sum, { message }) => sum + encoder.encode(JSON.stringify(message)).length + 1, 0);
  const seen = new Set<string>();
  // One byte of five, because each run takes 10 ms
  for (let atByte = 0; atByte < bytes; atByte += 5) {
    const { settled, errors } = await play(atByte);
    seen.add(Object.keys(settled).join(", "));
    expect(Object.values(settled).every((count) => count === 1)).toBe(true);
    for (const error of errors) expect(error).toMatchObject({ name: "ConnectionError", code: "peer_closed" });
  }
  expect([...seen]).toEqual(["initialize", "initialize, session/new", "initialize, session/new, prompt 0, prompt 1"]);
});
