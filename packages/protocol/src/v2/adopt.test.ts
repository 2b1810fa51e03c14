import { linkedTransports, type Message } from "@acp-kit/jsonrpc";
import { afterEach, expect, test } from "vitest";
import { Peer, type PeerOptions } from "../peer.js";
import type { PeerRole } from "../role.js";
import { type V1ClientCalls, v1Client } from "../v1.js";
import { type V2AgentCalls, v2Agent, v2Client } from "./index.js";

const open: Peer<never>[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.connection.close()));
});

/** A client whose callers use version 1, and whose messages after the adoption are of version 2. */
const dual: PeerRole<V1ClientCalls> = {
  ...v1Client,
  protocolVersion: 2,
  ordered: new Set(["session/load"]),
  decoders: v2Client.decoders,
  wire: {
    calls: {
      authenticate: { method: "auth/login" },
      "session/load": {
        method: "session/resume",
        params: (params: object) => ({ ...params, replayFrom: { type: "start" } }),
        result: ({ configOptions }: { configOptions?: unknown }) => ({ opened: configOptions }),
      },
    },
    handlers: {
      "elicitation/create": {
        method: ({ mode }: { mode: string }) => (mode === "form" ? "fs/read_text_file" : "terminal/create"),
        params: (params: object) => ({ converted: params }),
        result: (result: { content: string }, { converted }: { converted: { message: string } }) => ({
          action: "accept",
          content: { text: `${converted.message}: ${result.content}` },
        }),
      },
    },
  },
};

function pair(options: PeerOptions = {}) {
  const [agentSide, clientSide] = linkedTransports();
  const received: Message[] = [];
  const agent = new Peer<V2AgentCalls>(agentSide, v2Agent, {
    tap: ({ direction, message }) => direction === "received" && received.push(message as Message),
    tapSecrets: true,
  });
  const client = new Peer<V1ClientCalls>(clientSide, v1Client, options);
  open.push(agent as never, client as never);
  return { agent, client, received };
}

function agree({ agent, client }: ReturnType<typeof pair>): void {
  const elicitation = { form: {}, url: {} };
  agent.setAgreement({ protocolVersion: 2, capabilities: { elicitation } });
  client.setAgreement({ protocolVersion: 2, capabilities: { loadSession: true } });
  agent.connection.listen();
  client.connection.listen();
}

test("after adopt, a call is sent and its result is read in the form of the new role", async () => {
  const peers = pair();
  const { agent, client, received } = peers;
  agent.handle("session/resume", () => ({ configOptions: [] }));
  agent.handle("auth/login", () => ({}));
  client.adopt(dual);
  agree(peers);
  await client.request("authenticate", { methodId: "m" });
  const result = await client.request("session/load", { sessionId: "s", cwd: "/", mcpServers: [] });
  expect(result).toEqual({ opened: [] });
  expect(received).toMatchObject([
    { method: "auth/login", params: { methodId: "m" } },
    { method: "session/resume", params: { sessionId: "s", replayFrom: { type: "start" } } },
  ]);
});

test("handlers that were registered before adopt get converted params, and their results are converted", async () => {
  const peers = pair();
  const { agent, client } = peers;
  client.handle("fs/read_text_file", () => ({ content: "the text" }));
  client.adopt(dual);
  agree(peers);
  const params = { sessionId: "s", mode: "form", message: "Name", requestedSchema: { type: "object", properties: {} } };
  expect(await agent.request("elicitation/create", params as never)).toEqual({
    action: "accept",
    content: { text: "Name: the text" },
  });
  await expect(
    agent.request("elicitation/create", { ...params, mode: "url", url: "https://x.dev", elicitationId: "e" } as never),
  ).rejects.toMatchObject({ code: -32601 });
});

test("methods that the new role does not have are refused, although they have a handler", async () => {
  const peers = pair();
  const { agent, client } = peers;
  client.handle("fs/read_text_file", () => ({ content: "the text" }));
  client.adopt(dual);
  agree(peers);
  const request = agent.connection.request("fs/read_text_file", { sessionId: "s", path: "/a" });
  await expect(request).rejects.toMatchObject({ code: -32601 });
});

test("notifications are decoded by the new role", async () => {
  const peers = pair();
  const { agent, client } = peers;
  const updates: unknown[] = [];
  client.handleNotification("session/update", ({ update }) => updates.push(update));
  client.adopt(dual);
  agree(peers);
  await agent.notify("session/update", { sessionId: "s", update: { sessionUpdate: "state_update", state: "running" } });
  const empty = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "no id" } };
  await agent.connection.notify("session/update", { sessionId: "s", update: empty });
  await agent.connection.close();
  await client.connection.closed;
  expect(updates).toEqual([{ sessionUpdate: "state_update", state: "running" }]);
});

test("checkOutgoing gets the messages in the form of the new role, and its version", async () => {
  const checked: unknown[] = [];
  const peers = pair({
    checkOutgoing: (method, part, _value, version) => {
      checked.push([method, part, version]);
      return [];
    },
  });
  const { agent, client } = peers;
  agent.handle("auth/login", () => ({}));
  client.handle("fs/read_text_file", () => ({ content: "" }));
  client.adopt(dual);
  agree(peers);
  await client.request("authenticate", { methodId: "m" });
  const params = { sessionId: "s", mode: "form", message: "", requestedSchema: { type: "object", properties: {} } };
  await agent.request("elicitation/create", params as never);
  expect(checked).toEqual([
    ["auth/login", "params", 2],
    ["elicitation/create", "result", 2],
  ]);
});
