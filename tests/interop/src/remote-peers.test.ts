import { createAgent } from "@acp-kit/agent";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { Log } from "@acp-kit/promises-tests/log";
import { agent } from "sdk-2";
import { describe, expect, it, onTestFinished } from "vitest";
import { kitProcess, sdk2Process } from "./peers/bridges.js";
import { kitAgent } from "./peers/kit.js";
import { profiles, type RemoteServer, serveOurs, serveSdk2 } from "./peers/remote-servers.js";
import { sdk2Agent } from "./peers/sdk-2.js";
import { type Handlers, openSdk2 } from "./peers/sdk-client.js";

const REPLAYED = 1_000;
/** The server checks once a second whether a connection needs keep-alive. */
const KEPT_ALIVE_MS = 2_200;
const large = "é\u2028\ud83c\udf89x".repeat(500_000);
const initialize = { protocolVersion: 1, clientCapabilities: {} };
const chunk = (text: string): object => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});

interface Update {
  readonly update: { readonly sessionUpdate: string; readonly content?: { readonly text?: string } };
}

function ends<S extends AsyncDisposable>(disposable: S): S {
  onTestFinished(() => disposable[Symbol.asyncDispose]());
  return disposable;
}

describe.each(profiles)("our client and a server of the official SDK 2.4.0, over %s", (profile) => {
  const connect = async (server: RemoteServer): Promise<AgentConnection> => {
    const limits = { reconnectTimeoutMs: 2_000, maxReconnectDelayMs: 50 };
    const source = profile === "WebSocket" ? webSocketAgent : httpAgent;
    return ends(await connectAgent(source(server.address(profile), { limits })));
  };

  it("exchange messages of several megabytes in both directions", async () => {
    const client = await connect(ends(await serveSdk2(sdk2Agent)));
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt(`say ${large}`);
    let text = "";
    for await (const update of turn) text += (update as Update["update"]).content?.text;
    expect(text).toBe(large);
  });

  it("deliver the whole replay before a load resolves, although the server does not order its two streams (RT-15)", async () => {
    const app = (): ReturnType<typeof agent> =>
      agent()
        .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }))
        .onRequest("session/load", async ({ params: { sessionId }, client }) => {
          for (let n = 0; n < REPLAYED; n += 1)
            await client.notify("session/update", { sessionId, update: chunk(`${n}`) as never });
          return {};
        });
    const client = await connect(ends(await serveSdk2(app)));
    const replayed: string[] = [];
    await client.loadSession(
      { sessionId: "old", cwd: "/work" },
      { onUpdate: (update) => void replayed.push((update as { content: { text: string } }).content.text) },
    );
    expect(replayed).toEqual(Array.from({ length: REPLAYED }, (_, n) => `${n}`));
  });

  it("reject the turn if the agent exits", async () => {
    const connector = await sdk2Process();
    const client = await connect(ends(await serveSdk2(() => connector)));
    const session = await client.newSession({ cwd: "/work" });
    // The server ends the streams of the session and of the connection in any order
    const name = expect.stringMatching(/^(ConnectionError|RpcError)$/);
    await expect(session.prompt("die").result).rejects.toMatchObject({ name });
  });

  it("continue the same session after a restart of the server", async () => {
    const first = ends(await serveSdk2(sdk2Agent));
    const client = await connect(first);
    const session = await client.newSession({ cwd: "/work" });
    const waiting = session.prompt("wait");
    await waiting[Symbol.asyncIterator]().next();
    await first.vanish();
    ends(await serveSdk2(sdk2Agent, first.port));
    await expect(waiting.result).rejects.toMatchObject({ name: "ConnectionError" });
    await expect(session.prompt("say on").result).resolves.toMatchObject({ stopReason: "end_turn" });
  });
});

describe.each(profiles)("a client of the official SDK 2.4.0 and our server, over %s", (profile) => {
  const open = (server: RemoteServer, handlers: Handlers): ReturnType<typeof openSdk2> => {
    const client = openSdk2(profile, server.address(profile), handlers);
    onTestFinished(() => client.connection.close());
    return client;
  };
  const prompt = (text: string): object => ({ sessionId: "s1", prompt: [{ type: "text", text }] });

  it("exchange messages of several megabytes in both directions", async () => {
    const updates = new Log<Update>();
    const client = open(ends(await serveOurs(kitAgent)), { "session/update": updates.push });
    await client.call("initialize", initialize);
    await client.call("session/new", { cwd: "/work", mcpServers: [] });
    await client.call("session/prompt", prompt(`say ${large}`));
    expect(updates.items.map(({ update }) => update.content?.text).join("")).toBe(large);
  });

  it.each(["connection", "session"] as const)(
    "deliver the whole replay of a load, before its response if that is in the stream of the session (RT-15); in the stream of the %s",
    async (loadResponseStream) => {
      const replayer = createAgent({
        info: { name: "replayer", version: "1.0.0" },
        newSession: () => ({ sessionId: "s1" }),
        async loadSession({ sessionId }, context) {
          for (let n = 0; n < REPLAYED; n += 1) context.session(sessionId).update(chunk(`${n}`) as never);
        },
        prompt: async () => "end_turn",
      });
      const updates = new Log<Update>();
      const client = open(ends(await serveOurs(replayer, { loadResponseStream })), { "session/update": updates.push });
      await client.call("initialize", initialize);
      await client.call("session/load", { sessionId: "old", cwd: "/work", mcpServers: [] });
      const isOrdered = loadResponseStream === "session" || profile === "WebSocket";
      if (!isOrdered) await expect.poll(() => updates.items.length).toBe(REPLAYED); // two sockets have no common order
      expect(updates.items.map(({ update }) => update.content?.text)).toEqual(
        Array.from({ length: REPLAYED }, (_, n) => `${n}`),
      );
    },
  );

  it("ignore comments, pings and empty frames that keep the connection alive, and close the connection", async () => {
    const server = ends(await serveHttp(kitAgent, { limits: { keepAliveMs: 20 } }));
    const updates = new Log<Update>();
    const client = openSdk2(profile, profile === "WebSocket" ? server.webSocketUrl : server.url, {
      "session/update": updates.push,
    });
    await client.call("initialize", initialize);
    await client.call("session/new", { cwd: "/work", mcpServers: [] });
    await new Promise((resolve) => setTimeout(resolve, KEPT_ALIVE_MS));
    expect(await client.call("session/prompt", prompt("say on"))).toEqual({ stopReason: "end_turn" });
    expect(updates.items.map(({ update }) => update.content?.text)).toEqual(["on"]);
    expect(server.connections).toBe(1);
    client.connection.close();
    await expect.poll(() => server.connections).toBe(0);
  });

  it("reject the turn if the agent exits", async () => {
    const agent = await kitProcess();
    const updates = new Log<Update>();
    const client = open(ends(await serveOurs(agent)), { "session/update": updates.push });
    await client.call("initialize", initialize);
    await client.call("session/new", { cwd: "/work", mcpServers: [] });
    await expect(client.call("session/prompt", prompt("die"))).rejects.toThrow();
    expect(updates.items.map(({ update }) => update.content?.text)).toEqual(["dying"]);
  });

  it("end a turn as cancelled if the server restarts, and load the session on a new connection", async () => {
    const first = ends(await serveOurs(kitAgent));
    const updates = new Log<Update>();
    const client = open(first, { "session/update": updates.push });
    await client.call("initialize", initialize);
    await client.call("session/new", { cwd: "/work", mcpServers: [] });
    const waiting = client.call("session/prompt", prompt("wait"));
    await updates.count(1);
    const { port } = first;
    await first.vanish();
    expect(await waiting).toEqual({ stopReason: "cancelled" });
    await expect(client.call("session/prompt", prompt("say on"))).rejects.toThrow();
    const second = ends(await serveOurs(kitAgent, { port }));
    const again = open(second, { "session/update": updates.push });
    await again.call("initialize", initialize);
    await again.call("session/load", { sessionId: "s1", cwd: "/work", mcpServers: [] });
    expect(await again.call("session/prompt", prompt("say on"))).toEqual({ stopReason: "end_turn" });
  });
});
