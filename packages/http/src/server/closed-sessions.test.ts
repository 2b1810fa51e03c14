import { afterEach, expect, it, vi } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawClient, type RawStream } from "../../test/raw-client.js";
import { type AcpHandler, acpHandlerWith } from "./acp-handler.js";
import type { FixedServerLimits, ServerLimits } from "./handler-options.js";

let handler: AcpHandler;
afterEach(async () => {
  vi.useRealTimers();
  await handler.close();
});

/** A client and its connection stream. */
async function connect(
  limits: ServerLimits = {},
  fixed: Partial<FixedServerLimits> = {},
): Promise<{ client: RawClient; main: RawStream }> {
  handler = acpHandlerWith(echoAgent(), { limits }, fixed);
  const client = new RawClient(handler.fetch);
  await client.initialize();
  return { client, main: await client.stream() };
}

/** Closes a session, and waits until the agent has responded. Returns the id of the request. */
async function close(client: RawClient, main: RawStream, sessionId: string): Promise<number> {
  const { id } = await client.call("session/close", { sessionId });
  const next = await client.call("session/list", {});
  await main.next((message) => message.id === next.id); // the agent responds in order
  return id;
}

/** Opens the stream of a session again, as a client that received the events of the lost stream. */
const again = (client: RawClient, sessionId: string, lost?: RawStream) =>
  client.stream(sessionId, { "last-event-id": lost?.ids.at(-1) ?? "0" });

it("remote.nothing-lost: the response to session/close reaches a client that opens the session's stream again, with and without earlier events", async () => {
  const { client, main } = await connect();
  for (const events of [0, 2]) {
    const sessionId = await client.newSession(main);
    const lost = await client.stream(sessionId);
    if (events > 0) {
      const { id } = await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
      await lost.next((message) => message.id === id);
    }
    await lost.cancel();
    const id = await close(client, main, sessionId);
    const stream = await again(client, sessionId, lost);
    expect(await stream.next()).toMatchObject({ id, result: {} });
    await stream.ended();
  }
});

it("remote.nothing-lost: the response to session/close reaches a client also if its socket broke after the response was sent", async () => {
  const { client, main } = await connect();
  const sessionId = await client.newSession(main);
  const stream = await client.stream(sessionId);
  const id = await close(client, main, sessionId);
  await stream.next((message) => message.id === id);
  expect(await (await again(client, sessionId)).next()).toMatchObject({ id });
});

it("keeps the stream of a closed session until it had no reader for idleTimeoutMs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  const { client, main } = await connect({ idleTimeoutMs: 5_000 });
  const sessionId = await client.newSession(main);
  await (await client.stream(sessionId)).cancel();
  await close(client, main, sessionId);
  await vi.advanceTimersByTimeAsync(3_000);
  const stream = await again(client, sessionId);
  await stream.next();
  await stream.ended();
  await vi.advanceTimersByTimeAsync(3_000);
  await (await again(client, sessionId, stream)).ended();
  await vi.advanceTimersByTimeAsync(7_000);
  expect((await again(client, sessionId, stream)).status).toBe(410);
});

it("drops the stream of a closed session if the limit of sessions leaves no room for it", async () => {
  const { client, main } = await connect({}, { maxSessionsPerConnection: 1 });
  const first = await client.newSession(main);
  await (await client.stream(first)).cancel();
  await close(client, main, first);
  const second = await client.newSession(main);
  expect((await client.stream(second)).status).toBe(200);
});
