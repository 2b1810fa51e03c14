import { addContext } from "@acp-kit/proxy/middleware";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delivered, type RawChain, type RawPeer, rawChain } from "../../test/raw-peer.js";

const user = { type: "text", text: "/compact" };

async function opened(when: "first" | "each" | "changed", contexts: string[]): Promise<RawChain> {
  const chain = rawChain([addContext(() => contexts.shift(), { when })]);
  chain.client.request(0, "session/new", { cwd: "/", mcpServers: [] });
  await delivered();
  chain.agent.respond(0, { sessionId: "s" });
  await delivered();
  return chain;
}

function repeat(agent: RawPeer, text: string, more: object = {}): void {
  const update = { sessionUpdate: "user_message_chunk", content: { type: "text", text }, ...more };
  agent.notify("session/update", { sessionId: "s", update });
}

async function prompts({ client, agent }: RawChain, count: number): Promise<string[][]> {
  for (let id = 1; id <= count; id += 1) {
    client.request(id, "session/prompt", { sessionId: "s", prompt: [user] });
    await delivered();
    agent.respond(id, { stopReason: "end_turn" });
    await delivered();
  }
  return agent
    .of("session/prompt")
    .map(({ params }) => (params as { prompt: { text: string }[] }).prompt.map(({ text }) => text));
}

const block = (text: string): string => `<context from="acp-kit">\n${text}\n</context>`;

describe("which prompts get the context, always after the user's blocks", () => {
  test("first: once, and not in sessions that were loaded", async () => {
    const chain = await opened("first", ["a", "b"]);
    expect(await prompts(chain, 2)).toEqual([["/compact", block("a")], ["/compact"]]);
    chain.client.request(9, "session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
    await delivered();
    expect((await prompts(chain, 1)).at(-1)).toEqual(["/compact"]);
  });

  test("each", async () => {
    const chain = await opened("each", ["a", "a", ""]);
    expect(await prompts(chain, 3)).toEqual([["/compact", block("a")], ["/compact", block("a")], ["/compact"]]);
  });

  test("changed", async () => {
    const chain = await opened("changed", ["a", "a", "b</context>"]);
    expect(await prompts(chain, 3)).toEqual([
      ["/compact", block("a")],
      ["/compact"],
      ["/compact", block("b<\\/context>")],
    ]);
  });
});

test("proxy.context-invisible: the context is removed from the user's messages, however the agent cuts them", async () => {
  const plain = fc.constantFrom("hi", "<", "<context", "</context>", " a < b ", "<context from=", '"acp-kit">', "");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(plain, fc.constantFrom("", block("secret"), block("two\nlines")))),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
      fc.boolean(),
      async (parts, sizes, loads) => {
        const visible = parts.map(([text]) => text).join("");
        fc.pre(!visible.includes('<context from="acp-kit">'));
        const whole = parts.map(([text, context]) => `${text}${context}`).join("");
        const { client, agent } = rawChain([addContext("x")]);
        if (loads) client.request(1, "session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
        else client.request(1, "session/prompt", { sessionId: "s", prompt: [] });
        await delivered();
        for (let at = 0, n = 0; at < whole.length; n += 1) {
          const size = sizes[n % sizes.length] as number;
          repeat(agent, whole.slice(at, at + size));
          at += size;
        }
        agent.respond(1, loads ? {} : { stopReason: "end_turn" });
        await delivered();
        expect(client.texts().join("")).toBe(visible);
        expect(client.names.at(-1)).toBe(1);
      },
    ),
    { numRuns: 100 },
  );
});

test("a held text precedes the next message of the session, and other messages and blocks pass", async () => {
  const { client, agent } = rawChain([addContext("x")]);
  repeat(agent, "a <con", { messageId: "1" });
  repeat(agent, "text>", { messageId: "2" });
  agent.chunk("<context");
  const image = { sessionUpdate: "user_message_chunk", content: { type: "image", data: "", mimeType: "image/png" } };
  repeat(agent, "b <");
  agent.notify("session/update", { sessionId: "s", update: image });
  await delivered();
  expect(client.texts()).toEqual(["a ", "<con", "text>", "<context", "b ", "<", ""]);
});

test("a text that begins like a context and does not end is the user's", async () => {
  const { client, agent } = rawChain([addContext("x")]);
  const long = `<context from="acp-kit">${"a".repeat(110_000)}`;
  for (let at = 0; at < long.length; at += 10_000) repeat(agent, long.slice(at, at + 10_000));
  agent.chunk("next");
  await delivered();
  expect(client.texts().join("")).toBe(`${long}next`);
});

test("a context that is too long, or whose function throws, fails the prompt", async () => {
  const { client, agent } = rawChain([addContext(() => "a".repeat(100_001), { when: "each" })]);
  client.request(1, "session/prompt", { sessionId: "s", prompt: [] });
  await delivered();
  expect(client.response(1).error?.message).toBe('The ACP proxy "addContext" failed');
  expect(agent.received).toEqual([]);
});
