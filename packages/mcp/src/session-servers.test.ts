import { connectAgent } from "@acp-kit/client";
import { forkSession } from "@acp-kit/client/unstable";
import { deferred } from "@acp-kit/jsonrpc/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../test/agent.js";
import { connect } from "../test/connect.js";
import { mcpTools } from "./mcp-tools.js";
import { serveMcp } from "./serve-mcp.js";

const where = mcpTools("where", {
  folder: { description: "Returns the folder", run: (_, { session }) => session.cwd },
  id: { description: "Returns the id", run: (_, { session }) => session.id },
});

/** A tool whose calls run until they are aborted. */
function waiting() {
  const aborted: string[] = [];
  const started: (() => void)[] = [];
  const source = mcpTools("slow", {
    wait: {
      description: "Runs until it is aborted",
      run: (_, { session, signal }) => {
        signal.addEventListener("abort", () => aborted.push(`${session.cwd}: ${signal.reason.message}`));
        started.shift()?.();
        return new Promise(() => {});
      },
    },
  });
  const begin = (agent: ScriptedAgent, serverId: unknown) => {
    const begun = deferred();
    started.push(begun.resolve);
    const response = agent.call(serverId, "tools/call", { name: "wait" });
    return { begun: begun.promise, response };
  };
  return { source, aborted, begin };
}

const idOf = (servers: Json[]): unknown => servers[0]?.serverId;
const textOf = (response: Json): unknown =>
  (response as { result?: { result?: { content: { text: string }[] } } }).result?.result?.content[0]?.text;
const cancelled = { error: { code: -32800 } };
const gone = { error: { code: -33001 } };

describe("mcp.session: each session has servers of its own", () => {
  it("declares the servers in each session with an id of its own, beside those of the application's session", async () => {
    const { agent, client } = await connect({ sources: [where] });
    const other = { name: "other", command: "/bin/other", args: [], env: [] };
    await client.newSession({ cwd: "/a", mcpServers: [other] });
    expect(agent.declared()).toEqual([other, { type: "acp", name: "where", serverId: expect.any(String) }]);
    const first = agent.declared()[1]?.serverId;
    await client.newSession({ cwd: "/b" });
    const second = idOf(agent.declared());
    expect(second).not.toBe(first);
    expect(textOf(await agent.call(first, "tools/call", { name: "folder" }))).toBe("/a");
    expect(textOf(await agent.call(second, "tools/call", { name: "folder" }))).toBe("/b");
    expect(textOf(await agent.call(second, "tools/call", { name: "id" }))).toBe("session-2");
  });

  it("serves calls before the agent responds to session/new", async () => {
    const { agent, client } = await connect({ sources: [where] });
    let folder: unknown;
    agent.results["session/new"] = async () => {
      folder = textOf(await agent.call(idOf(agent.declared()), "tools/call", { name: "folder" }));
      return { sessionId: "s" };
    };
    await client.newSession({ cwd: "/early" });
    expect(folder).toBe("/early");
  });

  it("lets a source differ by session", async () => {
    const only = (session: { cwd: string }) => (session.cwd === "/a" ? where : undefined);
    const { agent, client } = await connect({ sources: [only] });
    await client.newSession({ cwd: "/a" });
    expect(agent.declared()).toMatchObject([{ name: "where" }]);
    await client.newSession({ cwd: "/b" });
    expect(agent.declared()).toEqual([]);
  });

  it("leaves out a server with the name of another server of the session", async () => {
    const { agent, client, diagnostics } = await connect({ sources: [where] });
    const other = { name: "where", command: "/bin/other", args: [], env: [] };
    await client.newSession({ cwd: "/a", mcpServers: [other] });
    expect(agent.declared()).toEqual([other]);
    expect(diagnostics).toMatchObject([{ code: "mcp_server_left_out", data: { name: "where" } }]);
  });

  it("leaves servers out, with the reason, if the agent does not support MCP over ACP", async () => {
    const { agent, client, diagnostics } = await connect({ sources: [where], capabilities: { http: true } });
    await client.newSession({ cwd: "/a" });
    expect(agent.declared()).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: "mcp_server_left_out", message: expect.stringContaining("did not advertise MCP over ACP") },
    ]);
  });

  it("refuses the id of a server of another connection, also if both have the same sources", async () => {
    const mcp = serveMcp(where);
    const agents = [new ScriptedAgent(), new ScriptedAgent()];
    const clients = await Promise.all(agents.map((agent) => connectAgent(agent.client, { mcp })));
    for (const [index, client] of clients.entries()) await client.newSession({ cwd: `/${index}` });
    const [first, second] = agents.map((agent) => idOf(agent.declared()));
    const call = (index: number, id: unknown) => agents[index]?.call(id, "tools/call", { name: "folder" });
    expect(await call(0, second)).toMatchObject(gone);
    expect(await call(1, first)).toMatchObject(gone);
    expect([await call(0, first), await call(1, second)].map((each) => textOf(each as Json))).toEqual(["/0", "/1"]);
    for (const client of clients) await client.close();
  });

  it("never answers for another session, whatever opens, calls and closes", async () => {
    const step = fc.record({ is: fc.constantFrom("new", "load", "fork", "call", "close"), at: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { agent, client } = await connect({ sources: [where] });
        const open: { sessionId: string; cwd: string; serverId: unknown }[] = [];
        const closed: unknown[] = [];
        for (const [index, { is, at }] of steps.entries()) {
          const cwd = `/${index}`;
          const chosen = open[at % (open.length || 1)];
          if (is === "new") {
            const { sessionId } = await client.newSession({ cwd });
            open.push({ sessionId, cwd, serverId: idOf(agent.declared()) });
          } else if (chosen === undefined) continue;
          else if (is === "load") {
            await client.loadSession({ sessionId: chosen.sessionId, cwd: chosen.cwd });
            expect(idOf(agent.declared("session/load"))).toBe(chosen.serverId);
          } else if (is === "fork") {
            const { sessionId } = await forkSession(client, { sessionId: chosen.sessionId, cwd });
            open.push({ sessionId, cwd, serverId: idOf(agent.declared("session/fork")) });
          } else if (is === "close") {
            await client.session(chosen.sessionId)?.close();
            closed.push(chosen.serverId);
            open.splice(open.indexOf(chosen), 1);
          }
        }
        expect(new Set(open.map(({ serverId }) => serverId)).size).toBe(open.length);
        const folders = open.map(({ serverId }) => agent.call(serverId, "tools/call", { name: "folder" }));
        expect((await Promise.all(folders)).map(textOf)).toEqual(open.map(({ cwd }) => cwd));
        for (const serverId of closed) expect(await agent.call(serverId, "tools/list")).toMatchObject(gone);
        await client.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe("mcp.lifecycle: servers live as long as their sessions", () => {
  it("removes the servers of a session that could not be opened", async () => {
    const { agent, client } = await connect({ sources: [where] });
    agent.results["session/new"] = () => undefined;
    await expect(client.newSession({ cwd: "/a" })).rejects.toThrow("Method not found");
    expect(await agent.call(idOf(agent.declared()), "tools/list")).toMatchObject(gone);
  });

  it.each(["close", "delete"])("aborts the calls of a session and refuses later ones at its %s", async (how) => {
    const slow = waiting();
    const { agent, client } = await connect({ sources: [slow.source] });
    const session = await client.newSession({ cwd: "/a" });
    const serverId = idOf(agent.declared());
    const call = slow.begin(agent, serverId);
    await call.begun;
    if (how === "close") await session.close();
    else await client.deleteSession(session.sessionId);
    expect(await call.response).toMatchObject(cancelled);
    expect(slow.aborted).toEqual(["/a: The session was closed"]);
    expect(await agent.call(serverId, "tools/list")).toMatchObject(gone);
  });

  it("ends the servers of a closed session also if the agent can't close sessions", async () => {
    const agent = new ScriptedAgent();
    agent.results.initialize = () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { acp: true } } });
    const { client } = await connect({ sources: [where], agent });
    const session = await client.newSession({ cwd: "/a" });
    await session.close();
    expect(agent.received.some(({ method }) => method === "session/close")).toBe(false);
    expect(await agent.call(idOf(agent.declared()), "tools/list")).toMatchObject(gone);
  });

  it("keeps the id when a session is loaded or resumed, and gives a fork its own", async () => {
    const { agent, client } = await connect({ sources: [where] });
    const session = await client.newSession({ cwd: "/a" });
    const { sessionId } = session;
    const serverId = idOf(agent.declared());
    await client.loadSession({ sessionId, cwd: "/a" });
    await client.resumeSession({ sessionId, cwd: "/a" });
    expect(idOf(agent.declared("session/load"))).toBe(serverId);
    expect(idOf(agent.declared("session/resume"))).toBe(serverId);
    await forkSession(client, { sessionId, cwd: "/fork" });
    const forked = idOf(agent.declared("session/fork"));
    expect(forked).not.toBe(serverId);
    expect(textOf(await agent.call(forked, "tools/call", { name: "folder" }))).toBe("/fork");
  });

  it("gives a session that this client did not create an id when it is loaded", async () => {
    const { agent, client } = await connect({ sources: [where] });
    await client.loadSession({ sessionId: "saved", cwd: "/a" });
    const [server] = agent.declared("session/load");
    expect(textOf(await agent.call(server?.serverId, "tools/call", { name: "id" }))).toBe("saved");
  });

  it("aborts the calls that the agent forgot when its turn ends cancelled", async () => {
    const slow = waiting();
    const { agent, client } = await connect({ sources: [slow.source] });
    const other = await client.newSession({ cwd: "/other" });
    const kept = slow.begin(agent, idOf(agent.declared()));
    const session = await client.newSession({ cwd: "/a" });
    const forgotten = slow.begin(agent, idOf(agent.declared()));
    await forgotten.begun;
    await kept.begun;
    agent.results["session/prompt"] = () => ({ stopReason: "cancelled" });
    await session.prompt("go").result;
    expect(await forgotten.response).toMatchObject(cancelled);
    expect(slow.aborted).toEqual(["/a: The turn was cancelled"]);
    await other.close();
    expect(await kept.response).toMatchObject(cancelled);
  });

  it("declares the same ids to an agent that was started again", async () => {
    const agents = [new ScriptedAgent(), new ScriptedAgent()] as const;
    const waitingAgents = [...agents];
    const slow = waiting();
    const client = await connectAgent(
      { open: async () => (waitingAgents.shift() as ScriptedAgent).client, close: async () => {} },
      { mcp: serveMcp(slow.source, where) },
    );
    const session = await client.newSession({ cwd: "/a" });
    const before = agents[0].declared();
    const call = slow.begin(agents[0], before[0]?.serverId);
    await call.begun;
    const ended = client.peer.connection.closed;
    await agents[0].close();
    await ended;
    await session.prompt("go").result;
    expect(agents[1].declared("session/resume")).toEqual(before);
    expect(slow.aborted).toHaveLength(1);
    expect(textOf(await agents[1].call(before[1]?.serverId, "tools/call", { name: "folder" }))).toBe("/a");
    await client.close();
  });

  it("aborts every call and every session at the end of the connection", async () => {
    const slow = waiting();
    const ends: string[] = [];
    const watched = {
      name: "watched",
      open: ({ signal }: { signal: AbortSignal }) => {
        signal.addEventListener("abort", () => ends.push("session"));
        return () => ({ result: {} });
      },
    };
    const { agent, client } = await connect({ sources: [slow.source, watched] });
    await client.newSession({ cwd: "/a" });
    const { begun } = slow.begin(agent, idOf(agent.declared()));
    await begun;
    await client.close();
    expect(slow.aborted).toHaveLength(1);
    expect(ends).toEqual(["session"]);
  });
});
