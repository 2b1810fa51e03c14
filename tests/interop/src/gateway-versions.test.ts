// A gateway over sockets, with agents and clients on the official SDK 2.4.0: its version 1, and its experimental
// version 2.
import { createGateway, memoryEngine } from "@acp-kit/gateway";
import { serveGateway } from "@acp-kit/gateway/node";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { v2 } from "@acp-kit/v2/gateway";
import { client as sdkClientOfVersion1 } from "sdk-2";
import * as sdk2 from "sdk-2/experimental/v2";
import { createWebSocketStream } from "sdk-2/experimental/ws-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { sdk2Agent as sdkAgentOfVersion1 } from "./peers/sdk-2.js";
import { sdkAgentOfVersion2 } from "./peers/sdk-2-v2.js";

async function serve(agentOf: () => { connect(stream: never): unknown }): Promise<() => never> {
  const gateway = await createGateway({
    engine: memoryEngine(),
    versions: [v2],
    start: () => {
      const [ours, theirs] = linkedTransports();
      agentOf().connect(toMessageStream(theirs) as never);
      return ours;
    },
  });
  const server = await serveGateway(gateway);
  onTestFinished(async () => {
    await server.close();
    await gateway.close();
  });
  return () => createWebSocketStream(server.webSocketUrl, { WebSocket: WebSocket as never }) as never;
}

describe.each([
  [1, sdkAgentOfVersion1],
  [2, sdkAgentOfVersion2],
] as const)("V2-REQ-31: clients on the SDK and a gateway with an agent on the SDK's version %i", (_, agentOf) => {
  it("clients of both versions share a session: both prompt, and see the turns of the other", async () => {
    const stream = await serve(agentOf);
    const texts: string[] = [];
    const turns: unknown[] = [];
    const first = sdkClientOfVersion1({ name: "sdk" })
      .onNotification("session/update", ({ params: { update } }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          texts.push(update.content.text);
        if (update.sessionUpdate === "session_info_update") turns.push(update._meta?.["acp-kit/turn"]);
      })
      .onRequest("session/request_permission", () => new Promise(() => {}));
    const updates: sdk2.UpdateSessionNotification["update"][] = [];
    const second = sdk2
      .client({ name: "sdk-v2" })
      .onNotification("session/update", ({ params: { update } }) => void updates.push(update))
      .onRequest("session/request_permission", () => ({ outcome: { outcome: "selected", optionId: "yes" } }));
    const ends = () => updates.filter((update) => "stopReason" in update && update.stopReason === "end_turn").length;
    await first.connectWith(stream(), async (agent) => {
      await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await agent.request("session/new", { cwd: "/work", mcpServers: [] });
      const other = second.connect(stream()).agent;
      const info = { name: "sdk-v2", version: "1" };
      const initialized = await other.request("initialize", { protocolVersion: 2, info });
      expect(initialized).toMatchObject({ protocolVersion: 2, capabilities: { session: { delete: {} } } });
      await other.request("session/resume", { sessionId, cwd: "/work" });
      await expect.poll(() => updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
      const prompt = (text: string) => ({ sessionId, prompt: [{ type: "text" as const, text }] });
      expect(await agent.request("session/prompt", prompt("say one"))).toMatchObject({ stopReason: "end_turn" });
      await expect.poll(ends).toBe(1);
      expect(await other.request("session/prompt", prompt("say two"))).toEqual({ messageId: expect.any(String) });
      await expect.poll(ends).toBe(2);
      expect(await agent.request("session/prompt", prompt("ask"))).toMatchObject({ stopReason: "end_turn" });
      await expect.poll(ends).toBe(3);
      expect(texts).toEqual(["one", "two", "yes"]);
      expect(turns).toEqual(["running", "idle"]);
      const seen = updates.flatMap((update) =>
        update.sessionUpdate === "agent_message_chunk" ? [(update.content as { text: string }).text] : [],
      );
      expect(seen).toEqual(texts);
      await other.request("session/delete", { sessionId });
      expect((await agent.request("session/list", {})).sessions).toEqual([]);
    });
  });
});
