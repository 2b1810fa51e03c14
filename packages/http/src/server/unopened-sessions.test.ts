import { deferred } from "@acp-kit/jsonrpc/internal";
import type { ScriptedPeer, WireMessage } from "@acp-kit/testing";
import { afterEach, expect, it, vi } from "vitest";
import { RawClient } from "../../test/raw-client.js";
import { scriptedAgent } from "../../test/scripted-agent.js";
import { type AcpHandler, acpHandlerWith } from "./acp-handler.js";
import type { FixedServerLimits, ServerLimits } from "./handler-options.js";

let handler: AcpHandler;
afterEach(async () => {
  vi.useRealTimers();
  await handler.close();
});

/** Connects a client to an agent for which the given function responds to all requests but `initialize`. */
async function connect(
  answer: (message: WireMessage, agent: ScriptedPeer) => void,
  limits: ServerLimits = {},
  fixed: Partial<FixedServerLimits> = {},
) {
  const connected = deferred<ScriptedPeer>();
  handler = acpHandlerWith(
    scriptedAgent((message, agent) => {
      connected.resolve(agent);
      if (message.method === "initialize") agent.send({ id: message.id, result: { protocolVersion: 1 } });
      else if (message.method !== undefined) answer(message, agent);
    }),
    { limits },
    fixed,
  );
  const client = new RawClient(handler.fetch);
  await client.initialize();
  return { client, agent: await connected.promise };
}

const isResponse = ({ method }: WireMessage): boolean => method === undefined;

const permission = (id: string, sessionId: string): object => ({
  id,
  method: "session/request_permission",
  params: { sessionId, options: [] },
});
const notOpened = (id: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32002, message: "Resource not found: the client has not opened the session" },
});

it("remote.unopened-sessions: a request of the agent in a session that the client never opened gets an error", async () => {
  const { agent } = await connect(() => {});
  agent.send(permission("p1", "made-up"));
  expect(await agent.received(isResponse)).toEqual(notOpened("p1"));
});

it("remote.unopened-sessions: while a session is created, requests wait; then the requests of other unopened sessions get an error", async () => {
  const { client, agent } = await connect(({ id }, agent) => {
    agent.send(permission("p1", "made-up"), permission("p2", "new"), { id, result: { sessionId: "new" } });
  });
  const stream = await client.stream();
  expect(await client.newSession(stream)).toBe("new");
  expect(await agent.received(isResponse)).toEqual(notOpened("p1"));
  expect(agent.responseTo("p2")).toBeUndefined();
  const session = await client.stream("new");
  expect(await session.next((message) => message.id === "p2")).toMatchObject({ method: "session/request_permission" });
});

it("remote.unopened-sessions: a request of the agent is delivered if the client has opened the session's stream before session/load", async () => {
  const { client, agent } = await connect(() => {});
  const stream = await client.stream("old");
  agent.send(permission("p1", "old"));
  expect(await stream.next((message) => message.id === "p1")).toMatchObject({ params: { sessionId: "old" } });
  expect(agent.receivedSoFar().filter(isResponse)).toEqual([]);
});

const update = (sessionId: string): object => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "late" } } },
});

it("updates of a session that the client has closed take no room of the connection", async () => {
  const { client } = await connect(
    ({ id, method, params }, agent) => {
      agent.send({ id, result: method === "session/new" ? { sessionId: `s${id}` } : {} });
      if (method === "session/close") agent.send(update((params as { readonly sessionId: string }).sessionId));
    },
    {},
    { maxSessionsPerConnection: 2 },
  );
  const stream = await client.stream();
  for (let round = 0; round < 4; round += 1) {
    const sessionId = await client.newSession(stream);
    const session = await client.stream(sessionId);
    expect(session.status).toBe(200);
    await client.call("session/close", { sessionId });
    expect((await session.next()).result).toEqual({});
    await session.ended();
    expect(session.rest).toEqual([]);
  }
});

it("updates of a session whose creation failed are dropped after idleTimeoutMs, but not while the client creates a session", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  let fail = (): void => {};
  const { client } = await connect(
    ({ id }, agent) => {
      agent.send(update("failed"));
      fail = () => agent.send({ id, error: { code: -32603, message: "failed" } });
    },
    { idleTimeoutMs: 5_000 },
    { maxSessionsPerConnection: 1 },
  );
  const stream = await client.stream();
  await client.call("session/new", {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await client.stream("other")).status).toBe(429);
  fail();
  expect(await stream.next()).toMatchObject({ error: { message: "failed" } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await client.stream("other")).status).toBe(200);
});
