import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent } from "@acp-kit/agent";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { httpAgent, serveHttp, webSocketAgent } from "@acp-kit/http/node";
import { agent as sdkAgent, client as sdkClient } from "sdk-2";
import { createHttpStream } from "sdk-2/experimental/http-client";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "sdk-2/experimental/node";
import { AcpServer } from "sdk-2/experimental/server";
import { createWebSocketStream } from "sdk-2/experimental/ws-client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const large = "x".repeat(1_000_000);

/** Plays one turn; returns its text and stop reason. */
async function play(client: AgentConnection, sessionId: string | undefined, text: string): Promise<[string, string]> {
  const session =
    sessionId === undefined ? await client.newSession({ cwd: "/" }) : await client.loadSession({ sessionId, cwd: "/" });
  const turn = session.prompt(text);
  let all = "";
  for await (const update of turn) {
    if (update.sessionUpdate === "agent_message_chunk") all += (update as { content: { text: string } }).content.text;
  }
  return [all, (await turn.result).stopReason];
}

/** A server of the official SDK with an agent of it. */
async function serveSdk(): Promise<string> {
  let sessions = 0;
  const history = (index: number) => ({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: `${index};` },
  });
  const cancelled = new Map<string, () => void>();
  const create = () =>
    sdkAgent({ name: "sdk" })
      .onRequest("initialize", () => ({
        protocolVersion: 1,
        agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} } },
      }))
      .onRequest("session/new", () => {
        sessions += 1;
        return { sessionId: `s${sessions}` };
      })
      .onRequest("session/load", async ({ params: { sessionId }, client }) => {
        for (let index = 0; index < 50; index += 1) {
          await client.notify("session/update", { sessionId, update: history(index) as never });
        }
        return {};
      })
      .onRequest("session/resume", () => ({}))
      .onRequest("session/list", () => ({ sessions: [] }))
      .onRequest("session/delete", () => ({}))
      .onRequest("session/close", () => ({}))
      .onNotification("session/cancel", ({ params: { sessionId } }) => cancelled.get(sessionId)?.())
      .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
        const [block] = prompt;
        const text = block?.type === "text" ? block.text : "";
        if (text === "wait") {
          await new Promise<void>((resolve) => cancelled.set(sessionId, resolve));
          return { stopReason: "cancelled" };
        }
        let answer = text;
        if (text === "permit") {
          const response = await client.request<{ outcome: { outcome: string; optionId?: string } }>(
            "session/request_permission",
            {
              sessionId,
              toolCall: { toolCallId: "c" },
              options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
            },
          );
          answer = response.outcome.optionId ?? response.outcome.outcome;
        }
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: answer } };
        await client.notify("session/update", { sessionId, update: update as never });
        return { stopReason: "end_turn" };
      });
  const server = new AcpServer({ createAgent: create as never });
  const webSockets = new WebSocketServer({ noServer: true });
  const http = createServer(createNodeHttpHandler(server));
  http.on("upgrade", createNodeWebSocketUpgradeHandler(server, webSockets as never));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  closers.push(
    () => http.close(),
    () => http.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/acp`;
}

describe.each([
  ["streamable HTTP", httpAgent],
  ["WebSocket", webSocketAgent],
] as const)("our client and a server of the official SDK 2.4.0, over %s", (_, source) => {
  it("play turns, ask for permission, load, resume, list, delete, close and cancel", async () => {
    await using client = await connectAgent(source(await serveSdk()), { permissions: [async () => "allow_once"] });
    expect(await play(client, undefined, "hello")).toEqual(["hello", "end_turn"]);
    expect(await play(client, undefined, "permit")).toEqual(["yes", "end_turn"]);
    expect(await play(client, undefined, large)).toEqual([large, "end_turn"]);
    let replayed = "";
    await client.loadSession(
      { sessionId: "old", cwd: "/" },
      {
        onUpdate: (update) => {
          replayed += (update as { content: { text: string } }).content.text;
        },
      },
    );
    expect(replayed).toBe(Array.from({ length: 50 }, (_, index) => `${index};`).join(""));
    const resumed = await client.resumeSession({ sessionId: "older", cwd: "/" });
    await client.deleteSession("other");
    const turn = resumed.prompt("wait");
    turn.cancel();
    expect((await turn.result).stopReason).toBe("cancelled");
    await resumed.close();
  });
});

/** A server of ours with an agent of ours. */
async function serveOurs() {
  const server = await serveHttp(
    createAgent({
      info: { name: "ours", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      loadSession: async ({ sessionId }, { session }) => {
        for (let index = 0; index < 50; index += 1) {
          await session(sessionId).update({
            sessionUpdate: "agent_message_chunk",
            content: { type: "text", text: `${index};` },
          });
        }
      },
      deleteSession: () => ({}),
      prompt: async (turn) => {
        if (turn.text !== "permit") return void (await turn.message(turn.text));
        const { allowed } = await turn.permit(turn.toolCall({ title: "Write" }));
        await turn.message(`allowed: ${allowed}`);
      },
    }),
    { limits: { keepAliveMs: 20 } }, // its comments, pings and binary frames disturb no client
  );
  closers.push(() => server.close());
  return server;
}

describe.each([
  ["streamable HTTP", (url: string) => createHttpStream(url)],
  ["WebSocket", (url: string) => createWebSocketStream(url.replace("http", "ws"), { WebSocket: WebSocket as never })],
] as const)("a client on the official SDK 2.4.0 and our server, over %s", (_, stream) => {
  it("play turns, answer permissions, load with the whole replay, and delete", async () => {
    const server = await serveOurs();
    let text = "";
    const app = sdkClient({ name: "sdk" })
      .onNotification("session/update", ({ params: { update } }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          text += update.content.text;
      })
      .onRequest("session/request_permission", ({ params: { options } }) => {
        const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      });
    const taken = (): string => {
      const all = text;
      text = "";
      return all;
    };
    await app.connectWith(stream(server.url) as never, async (agent) => {
      const { protocolVersion } = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      expect(protocolVersion).toBe(1);
      const { sessionId } = await agent.request("session/new", { cwd: "/", mcpServers: [] });
      const prompt = (said: string) =>
        agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: said }] });
      expect([(await prompt("hello")).stopReason, taken()]).toEqual(["end_turn", "hello"]);
      expect([(await prompt("permit")).stopReason, taken()]).toEqual(["end_turn", "allowed: true"]);
      expect([(await prompt(large)).stopReason, taken().length]).toEqual(["end_turn", large.length]);
      await agent.request("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
      await expect.poll(() => text.length).toBe(140);
      await agent.request("session/delete", { sessionId: "other" });
    });
    await expect.poll(() => server.connections).toBe(0);
  });
});
