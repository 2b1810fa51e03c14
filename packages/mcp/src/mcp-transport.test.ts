import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { v2 } from "@acp-kit/v2/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../test/agent.js";
import { connect } from "../test/connect.js";
import type { McpSource } from "./mcp-source.js";
import { mcpTools } from "./mcp-tools.js";

const idOf = (agent: ScriptedAgent): unknown => agent.declared()[0]?.serverId;

/** A server whose calls wait until the test answers them. */
function held() {
  const calls: { progress(value: number): void; answer(text: string): void; signal: AbortSignal }[] = [];
  const source = mcpTools("held", {
    hold: {
      description: "Waits",
      run: (_, { signal, progress }) => {
        const result = deferred<string>();
        calls.push({ progress, answer: result.resolve, signal });
        return result.promise;
      },
    },
  });
  return { source, calls };
}

const handler = (handle: ReturnType<McpSource["open"]>): McpSource => ({ name: "custom", open: () => handle });

describe("mcp.binding: each call settles once, with a result or a typed error", () => {
  it("refuses malformed calls with -32602, and unknown servers with -33001", async () => {
    const { agent, client } = await connect({ sources: [held().source] });
    await client.newSession({ cwd: "/a" });
    const serverId = idOf(agent);
    for (const params of [
      undefined,
      [],
      {},
      { serverId, method: "tools/list" },
      { serverId, requestId: 1, method: "tools/list" },
      { serverId, requestId: "1", method: null },
      { serverId, requestId: "1", method: "tools/list", params: [] },
    ])
      expect(await agent.request("mcp/message", params)).toMatchObject({ error: { code: -32602 } });
    for (const unknown of ["x", "", "__proto__", "y".repeat(100_000)]) {
      const { error } = await agent.call(unknown, "tools/list");
      expect(error).toMatchObject({ code: -33001 });
      expect(JSON.stringify(error).length).toBeLessThan(1000);
    }
  });

  it("answers a call without the revision of MCP, or with another one, with an error of MCP", async () => {
    const { agent, client } = await connect({ sources: [held().source] });
    await client.newSession({ cwd: "/a" });
    const serverId = idOf(agent);
    const without = await agent.request("mcp/message", {
      serverId,
      requestId: "1",
      method: "tools/list",
      params: null,
    });
    expect(without).toMatchObject({ result: { error: { code: -32602 } } });
    const old = await agent.call(serverId, "tools/list", {
      _meta: { "io.modelcontextprotocol/protocolVersion": "2024-11-05" },
    });
    expect(old).toMatchObject({ result: { error: { code: -32022, data: { supported: ["2026-07-28"] } } } });
  });

  it("refuses a second call with the id of a running one, and calls above the limit", async () => {
    const { source, calls } = held();
    const { agent, client } = await connect({ sources: [source] });
    await client.newSession({ cwd: "/a" });
    const call = { serverId: idOf(agent), requestId: "same", method: "tools/call", params: {} as Json };
    call.params = { name: "hold", _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const first = agent.request("mcp/message", call);
    expect(await agent.request("mcp/message", call)).toMatchObject({ error: { code: -32602 } });
    const others = Array.from({ length: 63 }, (_, n) => agent.request("mcp/message", { ...call, requestId: `${n}` }));
    expect(await agent.request("mcp/message", { ...call, requestId: "more" })).toMatchObject({
      error: { code: -33000 },
    });
    for (const { answer } of calls) answer("done");
    for (const response of await Promise.all([first, ...others]))
      expect(response).toMatchObject({ result: { result: { content: [{ text: "done" }] } } });
    const again = agent.request("mcp/message", call);
    await expect.poll(() => calls.length).toBe(65);
    calls.at(-1)?.answer("again");
    expect(await again).toMatchObject({ result: { result: { content: [{ text: "again" }] } } });
  });

  it("reports progress only if the agent asks for it, and never after the result", async () => {
    const { source, calls } = held();
    const { agent, client } = await connect({ sources: [source] });
    await client.newSession({ cwd: "/a" });
    const silent = agent.call(idOf(agent), "tools/call", { name: "hold" });
    const loud = agent.call(idOf(agent), "tools/call", { name: "hold", _meta: { progressToken: "t" } });
    await expect.poll(() => calls.length).toBe(2);
    for (const call of calls) call.progress(1);
    for (const call of calls) call.answer("done");
    await Promise.all([silent, loud]);
    for (const call of calls) call.progress(2);
    await agent.call(idOf(agent), "tools/list");
    expect(agent.notifications).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "t", progress: 1 } },
    ]);
  });

  it("cancels exactly the call that $/cancel_request names, also if the server goes on", async () => {
    const { source, calls } = held();
    const { agent, client } = await connect({ sources: [source] });
    await client.newSession({ cwd: "/a" });
    const first = agent.call(idOf(agent), "tools/call", { name: "hold" }, "first");
    const second = agent.call(idOf(agent), "tools/call", { name: "hold" }, "second");
    await expect.poll(() => calls.length).toBe(2);
    agent.send({ method: "$/cancel_request", params: { requestId: "first" } });
    expect(await first).toMatchObject({ error: { code: -32800 } });
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    agent.send({ method: "$/cancel_request", params: { requestId: "first" } });
    calls[1]?.answer("done");
    expect(await second).toMatchObject({ result: { result: {} } });
  });

  it("answers -33002 if a handler fails or returns no valid outcome, without its text", async () => {
    const wrong: (() => never)[] = [
      () => {
        throw new Error("secret");
      },
      () => undefined as never,
      () => ({}) as never,
      () => ({ result: 1, error: { code: 1, message: "" } }) as never,
      () => ({ error: { code: "1", message: "" } }) as never,
    ];
    const { agent, client, diagnostics } = await connect({
      sources: [handler(() => (wrong.shift() as () => never)())],
    });
    await client.newSession({ cwd: "/a" });
    for (let n = wrong.length; n > 0; n -= 1) {
      const response = await agent.call(idOf(agent), "anything");
      expect(response).toMatchObject({ error: { code: -33002, message: "The MCP server failed" } });
    }
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(5).fill("mcp_server_failed"));
  });

  it("passes null results, errors and other methods unchanged", async () => {
    const source = handler(({ method }) =>
      method === "null" ? { result: null } : { error: { code: -32601, message: method, data: null } },
    );
    const { agent, client } = await connect({ sources: [source] });
    await client.newSession({ cwd: "/a" });
    expect(await agent.call(idOf(agent), "null")).toMatchObject({ result: { result: null } });
    expect(await agent.call(idOf(agent), "resources/list")).toMatchObject({
      result: { error: { code: -32601, message: "resources/list", data: null } },
    });
  });

  it("serves the earlier form with connections: at most 1,024, of this connection, and until the session ends", async () => {
    const { source } = held();
    const { agent, client } = await connect({ sources: [source] });
    const session = await client.newSession({ cwd: "/a" });
    await client.newSession({ cwd: "/b" });
    const other = idOf(agent);
    const created = agent.received.find(({ method }) => method === "session/new")?.params as Json;
    const [first] = created.mcpServers as Json[];
    const open = (id: unknown): Promise<Json> => agent.request("mcp/connect", { serverId: id });
    const opened = await Promise.all(Array.from({ length: 1_024 }, () => open(first?.serverId)));
    const ids = opened.map(({ result }) => (result as Json).connectionId);
    expect(new Set(ids).size).toBe(1_024);
    expect(await open(other)).toMatchObject({ error: { code: -33000 } });
    const ping = (connectionId: unknown): Promise<Json> =>
      agent.request("mcp/message", { connectionId, method: "ping" });
    expect(await ping(ids[7])).toMatchObject({ result: {} });
    expect(await ping("mcp-1")).toMatchObject({ error: { code: -33001 } });
    expect(await agent.request("mcp/message", { connectionId: 1, method: "ping" })).toMatchObject({
      error: { code: -32602 },
    });
    const next = await connect({ sources: [source] });
    await next.client.newSession({ cwd: "/c" });
    expect(await next.agent.request("mcp/message", { connectionId: ids[7], method: "ping" })).toMatchObject({
      error: { code: -33001 },
    });
    await session.close();
    expect(await agent.request("mcp/message", { connectionId: ids[7], method: "tools/list" })).toMatchObject({
      error: { code: -33001 },
    });
    expect(await open(other)).toMatchObject({ result: { connectionId: expect.any(String) } });
    await client.close();
    await next.client.close();
  });

  it("settles each call once, whatever ends it, and leaves none behind", async () => {
    const event = fc.constantFrom("call", "answer", "cancel", "close", "turn");
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const { source, calls } = held();
        const { agent, client } = await connect({ sources: [source] });
        agent.results["session/prompt"] = () => ({ stopReason: "cancelled" });
        const responses: Promise<Json>[] = [];
        let session = await client.newSession({ cwd: "/a" });
        for (const [index, is] of events.entries()) {
          if (is === "call") responses.push(agent.call(idOf(agent), "tools/call", { name: "hold" }, `call-${index}`));
          else if (is === "answer") calls.at(-1)?.answer("done");
          else if (is === "cancel")
            agent.send({ method: "$/cancel_request", params: { requestId: `call-${index - 1}` } });
          else if (is === "turn") await session.prompt("go").result;
          else {
            await session.close();
            session = await client.newSession({ cwd: "/a" });
          }
        }
        await session.close();
        await Promise.all(responses);
        const ids = agent.received.filter(({ method }) => method === undefined).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        await client.close();
      }),
      { numRuns: 60 },
    );
  });

  it("stops reading from an agent that calls and does not read", async () => {
    const [near, far] = linkedTransports({ highWaterMark: 4 });
    let paused = 0;
    const pause = near.pause.bind(near);
    near.pause = () => {
      paused += 1;
      pause();
    };
    const agent = new ScriptedAgent({ acp: true }, [near, far]);
    const { client } = await connect({ sources: [held().source], agent });
    await client.newSession({ cwd: "/a" });
    const responses = Array.from({ length: 2000 }, () => agent.call("unknown", "tools/list"));
    const codes = new Set((await Promise.all(responses)).map(({ error }) => (error as Json).code));
    expect(codes).toEqual(new Set([-33001]));
    expect(paused).toBeGreaterThan(0);
    await client.close();
  });

  it("passes all other messages, and calls of servers that the client declares itself", async () => {
    const { agent, client } = await connect({ sources: [held().source] });
    client.peer.connection.onRequest("mcp/message", () => ({ result: "the client's own" }));
    expect(await agent.call("own", "tools/list")).toMatchObject({ error: { code: -33001 } });
    const own = { type: "acp", name: "own", serverId: "own" };
    await client.peer.connection.request("session/new", { cwd: "/a", mcpServers: [own] });
    expect(agent.declared()).toMatchObject([own, { name: "held" }]);
    expect(await agent.call("own", "tools/list")).toMatchObject({ result: { result: "the client's own" } });
    expect(await agent.request("_vendor/unknown", {})).toMatchObject({ error: { code: -32601 } });
  });
});

describe("mcp.versions: tools work over both versions", () => {
  it("declares servers to an agent of version 2, where each entry has a type, and ends calls with its turns", async () => {
    const { source, calls } = held();
    const agent = new ScriptedAgent();
    agent.results.initialize = () => ({
      protocolVersion: 2,
      info: { name: "a", version: "1" },
      capabilities: { session: { mcp: { acp: {} } } },
    });
    const info = { name: "c", version: "1" };
    const { client } = await connect({ sources: [source], agent, info, versions: [v2] });
    const session = await client.newSession({ cwd: "/a" });
    expect(client.protocolVersion).toBe(2);
    expect(agent.declared()).toEqual([{ type: "acp", name: "held", serverId: expect.any(String) }]);
    const call = agent.call(idOf(agent), "tools/call", { name: "hold" });
    await expect.poll(() => calls.length).toBe(1);
    const update = { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" };
    agent.send({ method: "session/update", params: { sessionId: session.sessionId, update } });
    expect(await call).toMatchObject({ error: { code: -32800 } });
    await client.close();
  });
});
