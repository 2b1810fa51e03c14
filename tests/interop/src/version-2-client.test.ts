// Our client with version 2 of the protocol, and agents on the official SDK 2.4.0: its version 1, its experimental
// version 2, and its router of both.
import { type ConnectAgentOptions, connectAgent } from "@acp-kit/client";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import { checkV1Client } from "@acp-kit/protocol/strict";
import { checkV2Client } from "@acp-kit/protocol/v2/strict";
import { v2 } from "@acp-kit/v2/client";
import * as sdk2 from "sdk-2/experimental/v2";
import { describe, expect, it, onTestFinished } from "vitest";
import { sdk2Agent as sdkAgentOfVersion1 } from "./peers/sdk-2.js";
import { sdkAgentOfVersion2 } from "./peers/sdk-2-v2.js";

async function connect(agent: { connect(stream: never): unknown }, options: ConnectAgentOptions = {}) {
  const [agentEnd, clientEnd] = linkedTransports();
  agent.connect(toMessageStream(agentEnd) as never);
  const codes: string[] = [];
  const client = await connectAgent(clientEnd, {
    info: { name: "client", version: "1" },
    versions: [v2],
    permissions: async () => "allow_once",
    onDiagnostic: ({ code }) => codes.push(code),
    checkOutgoing: (method, part, value, version) =>
      version === 2 ? checkV2Client(method, part, value) : checkV1Client(method, part, value),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, codes };
}

describe("our client and an agent on the SDK's version 2", () => {
  it("V2-REQ-02, V2-REQ-05: agree on version 2, log in, run turns, permissions and modes", async () => {
    const { client, codes } = await connect(sdkAgentOfVersion2());
    expect(client.protocolVersion).toBe(2);
    await client.authenticate("token");
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("say hello").text()).toBe("hello");
    expect(await session.prompt("say again").text()).toBe("again");
    expect(await session.prompt("ask").text()).toBe("yes");
    await session.options.set("mode", "code");
    expect(session.options.get("mode")?.value).toBe("code");
    const turn = session.prompt("wait");
    expect(await turn.inserted).toEqual({ messageId: "u4" });
    turn.cancel();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    expect(session.transcript.snapshot.turns.map(({ stopReason }) => stopReason)).toEqual([
      "end_turn",
      "end_turn",
      "end_turn",
      "cancelled",
    ]);
    await client.logout();
    expect(codes).toEqual([]);
  });

  it("list, load, resume, close and delete sessions", async () => {
    const { client, codes } = await connect(sdkAgentOfVersion2());
    const listed: string[] = [];
    for await (const { sessionId } of client.listSessions()) listed.push(sessionId);
    expect(listed).toEqual(["old"]);
    const loaded = await client.loadSession({ sessionId: "old", cwd: "/work" });
    expect(loaded.transcript.snapshot.entries).toMatchObject([
      { type: "user_message", text: "Hello" },
      { type: "agent_message", text: "Good day" },
    ]);
    expect(loaded.activity).toBe("idle");
    await loaded.close();
    const resumed = await client.resumeSession({ sessionId: "old", cwd: "/work" });
    expect(resumed.transcript.snapshot.entries).toEqual([]);
    await client.deleteSession("old");
    expect(codes).toEqual([]);
  });

  type Step = "message" | "running" | "text" | "idle" | "response";

  /** An agent that sends the messages of a turn in this order. */
  function agentWith(order: readonly Step[]): sdk2.AgentApp {
    let prompts = 0;
    return sdk2
      .agent({ name: "orders" })
      .onRequest("initialize", () => ({
        protocolVersion: 2,
        info: { name: "orders", version: "1" },
        capabilities: { session: {} },
      }))
      .onRequest("session/new", () => ({ sessionId: "s1" }))
      .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
        prompts += 1;
        const [messageId, answerId] = [`u${prompts}`, `a${prompts}`];
        const send = (step: Step): Promise<void> => {
          const content = { type: "text", text: `answer ${answerId}` };
          const updates: Readonly<Record<string, object>> = {
            message: { sessionUpdate: "user_message", messageId, content: prompt },
            running: { sessionUpdate: "state_update", state: "running" },
            text: { sessionUpdate: "agent_message_chunk", messageId: answerId, content },
            idle: { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
          };
          return client.notify("session/update", { sessionId, update: updates[step] as never });
        };
        const at = order.indexOf("response");
        for (const step of order.slice(0, at)) await send(step);
        setImmediate(async () => {
          for (const step of order.slice(at + 1)) await send(step);
        });
        return { messageId };
      });
  }

  it.each<{ readonly order: readonly Step[] }>([
    { order: ["message", "response", "running", "text", "idle"] },
    { order: ["response", "message", "running", "text", "idle"] },
    { order: ["message", "running", "response", "text", "idle"] },
    { order: ["running", "message", "text", "response", "idle"] },
    { order: ["message", "running", "text", "idle", "response"] },
    { order: ["running", "text", "idle", "response"] },
  ])("V2-REQ-05: two turns of an agent with the order $order", async ({ order }) => {
    const { client } = await connect(agentWith(order));
    const session = await client.newSession({ cwd: "/work" });
    for (const answer of ["answer a1", "answer a2"]) {
      const turn = session.prompt("Hi");
      expect(await turn.text()).toBe(answer);
      expect(await turn.result).toEqual({ stopReason: "end_turn" });
    }
  });
});

it("V2-REQ-02: our client and an agent on the SDK's version 1 use version 1, with the files of the client", async () => {
  const files = { readTextFile: async () => ({ content: "from the client" }) };
  const { client } = await connect(sdkAgentOfVersion1(), { files });
  expect(client.protocolVersion).toBe(1);
  const session = await client.newSession({ cwd: "/work" });
  expect(session.canCancel("t1")).toBe(false);
  const turn = session.prompt("everything");
  expect(await turn.inserted).toEqual({ messageId: undefined });
  expect(await turn.result).toMatchObject({ stopReason: "end_turn" });
});

describe("V2-REQ-03: our client and the SDK's router", () => {
  const files = { readTextFile: async () => ({ content: "from the client" }) };

  it("agree on version 2 if the router has an agent of it", async () => {
    const router = sdk2.agentProtocolRouter().withV1(sdkAgentOfVersion1()).withV2(sdkAgentOfVersion2());
    const { client, codes } = await connect(router, { files });
    expect(client.protocolVersion).toBe(2);
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("say hello").text()).toBe("hello");
    expect(await session.prompt("ask").text()).toBe("yes");
    const turn = session.prompt("wait");
    await turn.inserted;
    turn.cancel();
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    expect(codes).toEqual([]);
  });

  it("agree on version 1 if the router has no agent of version 2", async () => {
    const router = sdk2.agentProtocolRouter().withV1(sdkAgentOfVersion1());
    const { client, codes } = await connect(router, { files });
    expect(client.protocolVersion).toBe(1);
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("everything").result).toMatchObject({ stopReason: "end_turn" });
    expect(codes).toEqual([]);
  });

  it("agree on version 1 in a client without version 2", async () => {
    const router = sdk2.agentProtocolRouter().withV1(sdkAgentOfVersion1()).withV2(sdkAgentOfVersion2());
    const { client } = await connect(router, { files, versions: [] });
    expect(client.protocolVersion).toBe(1);
    const session = await client.newSession({ cwd: "/work" });
    expect(await session.prompt("everything").result).toMatchObject({ stopReason: "end_turn" });
  });
});
