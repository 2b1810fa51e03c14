import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../test/agent.js";
import { connect } from "../test/connect.js";
import { mcpTools } from "./mcp-tools.js";

it("mcp.hostile: 100,000 calls, of one server or of none, get typed errors, run 64 at a time, and harm no other session", {
  timeout: 180_000,
}, async () => {
  const release = deferred();
  let running = 0;
  const source = mcpTools("held", {
    hold: {
      description: "Waits",
      run: async () => {
        running += 1;
        await release.promise;
        return "done";
      },
    },
    quick: { description: "Answers", run: () => "quick" },
  });
  const agent = new ScriptedAgent({ acp: true }, linkedTransports());
  const { client } = await connect({ sources: [source], agent });
  await client.newSession({ cwd: "/a" });
  const attacked = agent.declared()[0]?.serverId;
  await client.newSession({ cwd: "/b" });
  const other = agent.declared()[0]?.serverId;
  const codes = new Map<unknown, number>();
  const count = (response: Json): void => {
    const code = (response.error as Json | undefined)?.code ?? "result";
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  const responses: Promise<void>[] = [];
  for (let n = 0; n < 100_000; n += 1) {
    const id = n % 2 === 0 ? attacked : `unknown-${n}`;
    responses.push(agent.call(id, "tools/call", { name: "hold" }).then(count));
    if (n % 25_000 === 0) await agent.call(other, "tools/list");
  }
  expect(await agent.call(other, "tools/call", { name: "quick" })).toMatchObject({
    result: { result: { content: [{ text: "quick" }] } },
  });
  expect(running).toBe(64);
  release.resolve();
  await Promise.all(responses);
  expect(Object.fromEntries(codes)).toEqual({ result: 64, "-33000": 49_936, "-33001": 50_000 });
  await client.close();
});

it("mcp.hostile: an input of 10 MB reaches the tool, and other calls go on", async () => {
  const source = mcpTools("size", {
    of: {
      description: "Returns the size of a text",
      input: { type: "object", properties: { text: { type: "string" } } },
      run: ({ text }) => String(String(text).length),
    },
  });
  const { agent, client } = await connect({ sources: [source] });
  await client.newSession({ cwd: "/a" });
  const id = agent.declared()[0]?.serverId;
  const call = (text: string) => agent.call(id, "tools/call", { name: "of", arguments: { text } });
  const [large, small] = await Promise.all([call("x".repeat(10_000_000)), call("x")]);
  expect(large).toMatchObject({ result: { result: { content: [{ text: "10000000" }] } } });
  expect(small).toMatchObject({ result: { result: { content: [{ text: "1" }] } } });
  await client.close();
});
