import { createProxy } from "@acp-kit/proxy";
import fc from "fast-check";
import { expect, test } from "vitest";
import { delivered, info, rawChain } from "../../test/raw-peer.js";

test("proxy.private-sessions: a session of the proxy itself is invisible to the client, and the proxy uses it", async () => {
  const texts: string[] = [];
  const proxy = createProxy({
    info,
    fromClient: {
      "session/prompt": async ({ agent }, next) => {
        const { sessionId } = await agent.request("session/new", { cwd: "/review", mcpServers: [] });
        const { stopReason } = await agent.request("session/prompt", { sessionId, prompt: [] });
        texts.push(stopReason);
        return await next();
      },
    },
    fromAgent: {
      "session/update": {
        agent_message_chunk: ({ params, session }, next) => {
          const { content } = params.update;
          if (session.isPrivate && content.type === "text") texts.push(`${session.cwd}: ${content.text}`);
          next();
        },
      },
    },
  });
  const { client, agent } = rawChain([createProxy({ info }), proxy]);
  agent.onMessage = ({ id, method, params }) => {
    if (method === "session/new") {
      agent.respond(id, { sessionId: "private" });
      agent.chunk("at once", "private"); // in the same tick as the response
    } else if (method === "session/prompt" && (params as { sessionId: string }).sessionId === "private") {
      agent.chunk("reviewing", "private");
      agent.request("p", "session/request_permission", {
        sessionId: "private",
        toolCall: { toolCallId: "t" },
        options: [],
      });
      agent.request("f", "fs/read_text_file", { sessionId: "private", path: "/a" });
      agent.respond(id, { stopReason: "end_turn" });
    } else if (method === "session/list")
      agent.respond(id, {
        sessions: [
          { sessionId: "private", cwd: "/review" },
          { sessionId: "s", cwd: "/" },
        ],
      });
    else if (method === "session/prompt") agent.respond(id, { stopReason: "refusal" });
  };
  client.request(1, "session/prompt", { sessionId: "s", prompt: [] });
  await delivered();
  expect(texts).toEqual(["/review: at once", "/review: reviewing", "end_turn"]);
  expect(agent.response("p").result).toEqual({ outcome: { outcome: "cancelled" } });
  expect(agent.response("f").error?.code).toBe(-32601);
  client.request(2, "session/list", {});
  client.request(3, "session/prompt", { sessionId: "private", prompt: [] });
  client.notify("session/cancel", { sessionId: "private" });
  await delivered();
  expect(client.received).toEqual([
    { jsonrpc: "2.0", id: 1, result: { stopReason: "refusal" } },
    expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32002 }) }),
    { jsonrpc: "2.0", id: 2, result: { sessions: [{ sessionId: "s", cwd: "/" }] } },
  ]);
  expect(agent.of("session/cancel")).toEqual([]);
});

test("proxy.private-sessions: whatever the agent sends in such a session, the client gets nothing, and each request one response", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("chunk", "permission", "read", "_ext", "note", "wait"), { maxLength: 15 }),
      fc.constantFrom("none", "passes", "awaits"),
      async (steps, manner) => {
        const intercept = {
          none: undefined,
          passes: (_: unknown, next: () => unknown) => next() as never,
          awaits: async (_: unknown, next: () => unknown) => (await next()) as never,
        }[manner];
        const proxy = createProxy({
          info,
          fromClient: {
            _start: async ({ agent }) => await agent.request("session/new", { cwd: "/", mcpServers: [] }),
          },
          ...(intercept && { fromAgent: { "*": intercept, "session/request_permission": intercept } }),
        });
        const { client, agent } = rawChain([proxy]);
        client.request(1, "_start");
        await delivered();
        agent.respond(agent.idOf("session/new"), { sessionId: "private" });
        await delivered();
        const asked: string[] = [];
        for (const step of steps) {
          const id = `${step}${asked.length}`;
          if (step === "chunk") agent.chunk("x", "private");
          else if (step === "note") agent.notify("_note", { sessionId: "private" });
          else if (step === "wait") await delivered();
          else {
            asked.push(id);
            const method = { permission: "session/request_permission", read: "fs/read_text_file", _ext: "_ext" }[step];
            agent.request(id, method ?? "", {
              sessionId: "private",
              toolCall: { toolCallId: "t" },
              options: [],
              path: "/a",
            });
          }
        }
        await delivered();
        expect(client.names).toEqual([1]);
        for (const id of asked) expect(agent.responses(id)).toHaveLength(1);
      },
    ),
    { numRuns: 60 },
  );
});
