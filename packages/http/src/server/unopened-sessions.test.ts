import { afterEach, expect, it } from "vitest";
import { RawClient } from "../../test/raw-client.js";
import { type ReceivedMessage, scriptedAgent } from "../../test/scripted-agent.js";
import { type AcpHandler, createAcpHandler } from "./acp-handler.js";

let handler: AcpHandler;
afterEach(() => handler.close());

type Send = (message: object) => void;

/** A client of an agent that the given function scripts, and the responses that the agent received. */
async function connect(answer: (message: ReceivedMessage, send: Send) => void) {
  const received: ReceivedMessage[] = [];
  const waiting: (() => void)[] = [];
  let send: Send = () => {};
  handler = createAcpHandler(
    scriptedAgent((message, sendMessage) => {
      send = sendMessage;
      if (message.method === "initialize") send({ id: message.id, result: { protocolVersion: 1 } });
      else if (message.method !== undefined) answer(message, send);
      else {
        received.push(message);
        for (const done of waiting.splice(0)) done();
      }
    }),
  );
  const client = new RawClient(handler.fetch);
  await client.initialize();
  return {
    client,
    received,
    ask: (id: string, sessionId: string) => send(permission(id, sessionId)),
    responded: () => (received.length > 0 ? Promise.resolve() : new Promise<void>((done) => waiting.push(done))),
  };
}

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
  const { ask, responded, received } = await connect(() => {});
  ask("p1", "made-up");
  await responded();
  expect(received).toEqual([notOpened("p1")]);
});

it("remote.unopened-sessions: while a session is created, requests wait; then the requests of other unopened sessions get an error", async () => {
  const { client, responded, received } = await connect(({ id }, send) => {
    send(permission("p1", "made-up"));
    send(permission("p2", "new"));
    send({ id, result: { sessionId: "new" } });
  });
  const stream = await client.stream();
  expect(await client.newSession(stream)).toBe("new");
  await responded();
  expect(received).toEqual([notOpened("p1")]);
  const session = await client.stream("new");
  expect(await session.next((message) => message.id === "p2")).toMatchObject({ method: "session/request_permission" });
});

it("remote.unopened-sessions: a request of the agent is delivered if the client has opened the session's stream before session/load", async () => {
  const { client, ask, received } = await connect(() => {});
  const stream = await client.stream("old");
  ask("p1", "old");
  expect(await stream.next((message) => message.id === "p1")).toMatchObject({ params: { sessionId: "old" } });
  expect(received).toEqual([]);
});
