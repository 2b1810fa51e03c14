import { createAgent } from "@acp-kit/agent";
import { createGateway, type Gateway, memoryEngine } from "@acp-kit/gateway";
import { type GatewayServer, serveGateway } from "@acp-kit/gateway/node";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { stream as followStream } from "@durable-streams/client";
import { client as sdkClient } from "sdk-2";
import { createHttpStream } from "sdk-2/experimental/http-client";
import { createWebSocketStream } from "sdk-2/experimental/ws-client";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

let gateway: Gateway;
let server: GatewayServer;
afterEach(async () => {
  await server.close();
  await gateway.close();
});

/** Continues the turns that wait. */
let goOn: () => void = () => {};

/** A gateway in front of an agent that can neither list, load nor resume sessions. */
async function serve(): Promise<void> {
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const agent = createAgent({
    info: { name: "forgetful", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    prompt: async (turn) => {
      await turn.message(`about ${turn.text}: `);
      if (turn.text === "permit") {
        const { allowed } = await turn.permit(turn.toolCall({ title: "Write" }));
        await turn.message(`allowed ${allowed}`);
      }
      if (turn.text === "wait") await waits;
      await turn.message("done;");
    },
  });
  gateway = await createGateway({
    engine: memoryEngine(),
    start: () => {
      const [ours, theirs] = linkedTransports();
      agent.connect(theirs);
      return ours;
    },
  });
  server = await serveGateway(gateway, { limits: { keepAliveMs: 20 } });
}

interface Seen {
  text: string;
  user: string;
  turn: unknown[];
  permissions: number;
}

const textOf = (content: { readonly type: string; readonly text?: string }): string =>
  content.type === "text" ? (content.text ?? "") : "";

function app(seen: Seen) {
  return sdkClient({ name: "sdk" })
    .onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk") seen.text += textOf(update.content);
      if (update.sessionUpdate === "user_message_chunk") seen.user += textOf(update.content);
      if (update.sessionUpdate === "session_info_update") seen.turn.push(update._meta?.["acp-kit/turn"]);
    })
    .onRequest("session/request_permission", ({ params: { options } }) => {
      seen.permissions += 1;
      const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId ?? "";
      return { outcome: { outcome: "selected", optionId } };
    });
}

const nothing = (): Seen => ({ text: "", user: "", turn: [], permissions: 0 });
const where = { cwd: "/work", mcpServers: [] };

describe.each([
  ["streamable HTTP", (url: string) => createHttpStream(url)],
  ["WebSocket", (url: string) => createWebSocketStream(url.replace("http", "ws"), { WebSocket: WebSocket as never })],
] as const)("a client on the official SDK 2.4.0 and a gateway, over %s", (_, stream) => {
  it("gateway.plain-client: a new connection attaches to a running turn, loads the session from the journal, and resumes the session", async () => {
    await serve();
    const first = nothing();
    let session = "";
    await app(first).connectWith(stream(server.url) as never, async (agent) => {
      await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      ({ sessionId: session } = await agent.request("session/new", where));
      const prompt = (text: string) =>
        agent.request("session/prompt", { sessionId: session, prompt: [{ type: "text", text }] });
      expect((await prompt("permit")).stopReason).toBe("end_turn");
      expect([first.text, first.permissions]).toEqual(["about permit: allowed truedone;", 1]);
      prompt("wait").catch(() => {}); // The connection ends before the turn.
      await expect.poll(() => first.text).toContain("about wait");
    });

    const second = nothing();
    await app(second).connectWith(stream(server.url) as never, async (agent) => {
      const { agentCapabilities } = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      expect(agentCapabilities).toMatchObject({ loadSession: true, sessionCapabilities: { list: {}, resume: {} } });
      const { sessions } = await agent.request("session/list", {});
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual([session]);
      const loaded = await agent.request("session/load", { sessionId: session, ...where });
      expect(loaded._meta).toMatchObject({ "acp-kit/turn": "running" });
      await expect.poll(() => second.text).toBe("about permit: allowed truedone;about wait: ");
      expect(second.user).toBe("permitwait");
      goOn();
      await expect.poll(() => second.turn).toEqual(["idle"]);
      expect(second.text).toBe("about permit: allowed truedone;about wait: done;");
    });

    const third = nothing();
    await app(third).connectWith(stream(server.url) as never, async (agent) => {
      await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
      const resumed = await agent.request("session/resume", { sessionId: session, ...where });
      expect(resumed._meta).toMatchObject({ "acp-kit/turn": "idle" });
      await agent.request("session/prompt", { sessionId: session, prompt: [{ type: "text", text: "more" }] });
      expect(third).toEqual({ ...nothing(), text: "about more: done;" });
      await agent.request("session/delete", { sessionId: session });
      expect((await agent.request("session/list", {})).sessions).toEqual([]);
    });
  });
});

describe("gateway.journal-stream: a session's journal as a durable stream", () => {
  it.each(["long-poll", "sse"] as const)(
    "gateway.journal-stream: @durable-streams/client follows it by %s",
    async (live) => {
      await serve();
      const session: { id: string } = { id: "" };
      await app(nothing()).connectWith(createHttpStream(server.url) as never, async (agent) => {
        await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
        ({ sessionId: session.id } = await agent.request("session/new", where));
        const prompt = (text: string) =>
          agent.request("session/prompt", { sessionId: session.id, prompt: [{ type: "text", text }] });
        await prompt("first");
        const types: string[] = [];
        const abort = new AbortController();
        const followed = await followStream<{ type: string }>({
          url: `${server.url}/sessions/${session.id}/journal`,
          offset: "-1",
          live,
          signal: abort.signal,
        });
        followed.subscribeJson((batch) => {
          types.push(...batch.items.map(({ type }) => type));
          return Promise.resolve();
        });
        await expect.poll(() => types).toEqual(["turn_started", "update", "update", "turn_ended"]);
        await prompt("second");
        await expect.poll(() => types.length).toBe(8);
        expect(types.slice(4)).toEqual(["turn_started", "update", "update", "turn_ended"]);
        abort.abort();
      });
    },
  );
});
