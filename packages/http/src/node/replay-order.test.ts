import { afterEach, expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawClient } from "../../test/raw-client.js";
import { createNodeFetch } from "./node-fetch.js";
import { type HttpAgentServer, serveHttpWith } from "./serve-http.js";

const servers: HttpAgentServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Longer than the response to a load waits after the replay was written. */
const HELD_MS = 400;

it("RT-15: if a client uses one HTTP/2 connection, and wants the response to session/load in the connection stream, the response to session/load waits until the client has read the replay", async () => {
  // More than a client reads ahead, and less than the mark above which the agent waits.
  const history = Array.from({ length: 300 }, (_, n) => `${n} ${"x".repeat(2_000)}`);
  const server = await serveHttpWith(echoAgent({ history }), {}, { maxUnsentBytes: 1_048_576 });
  servers.push(server);
  const fetch = createNodeFetch();
  const raw = new RawClient(async (request) => {
    const { method, headers } = request;
    const body = method === "POST" ? await request.text() : null;
    return fetch(request.url, { method, headers: Object.fromEntries(headers), body });
  }, server.url);
  await raw.initialize();
  const main = await raw.stream();
  const session = await raw.stream("old");
  const { id } = await raw.call("session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
  const until = performance.now() + HELD_MS;
  while (performance.now() < until) {
    const list = await raw.call("session/list", {});
    await main.next((message) => message.id === list.id);
  }
  expect(main.rest).toEqual([]);
  for (const text of history) expect((await session.next()).params.update.content.text).toBe(text);
  expect(await main.next()).toMatchObject({ id, result: {} });
});
