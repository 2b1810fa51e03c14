import { tokenAuthentication } from "@acp-kit/http";
import { webSocketAgent } from "@acp-kit/http/node";
import { afterEach, describe, expect, it } from "vitest";
import { RawClient } from "../../test/raw-client.js";
import { Served } from "../../test/served.js";
import { type GatewayLogRecord, gatewayLog } from "../index.js";
import { gatewayMetrics } from "./metrics.js";

let served: Served;
afterEach(() => served.close());

const authenticate = tokenAuthentication(
  new Map([
    ["for-ann", { tenant: "acme", user: "ann\nforged" }],
    ["for-ops", { tenant: "acme", user: "ops" }],
  ]),
);

async function connect(): Promise<RawClient> {
  const client = new RawClient(await webSocketAgent(served.server.webSocketUrl, { token: "for-ann" }).open());
  await client.initialize();
  return client;
}

const scrape = (token?: string) =>
  fetch(new URL("/metrics", served.server.url), { headers: token ? { authorization: `Bearer ${token}` } : {} });

describe("gateway.quiet-operation: logs, metrics and trace context", () => {
  it("renders metrics in the text format of Prometheus, without names of users and content of sessions", async () => {
    const metrics = gatewayMetrics();
    served = await Served.start({ authenticate, metrics, mayReadMetrics: ({ user }) => user === "ops" });
    for (const event of served.events) metrics.onEvent(event);
    metrics.watch(served.gateway);
    const client = await connect();
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "a secret");
    metrics.onEvent({ type: "turn_started", session: { scope: { tenant: "acme", user: "ann" }, sessionId: session } });
    const text = await (await scrape("for-ops")).text();
    expect(text).toMatch(/^acp_gateway_connections 1$/m);
    expect(text).toMatch(/^acp_gateway_turns 1$/m);
    expect(text).toMatch(/^acp_gateway_events_total\{type="turn_started"\} 1$/m);
    for (const name of ["acme", "ann", session, "secret"]) expect(text).not.toContain(name);
    turn.end();
    await response;
    await client.connection.close();
  });

  it("shows metrics only to callers who may read them", async () => {
    served = await Served.start({ authenticate, metrics: gatewayMetrics() });
    expect((await scrape("for-ops")).status).toBe(404);
    expect((await scrape()).status).toBe(401);
  });

  it("logs records with short values, without content and line ends", async () => {
    served = await Served.start({ authenticate });
    const client = await connect();
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "a secret question");
    turn.say("a secret answer");
    turn.end();
    await response;
    const records: GatewayLogRecord[] = [];
    const log = gatewayLog((record) => void records.push(record));
    for (const event of served.events) log(event);
    log({ type: "engine_failed", error: new Error("/home/ann/sessions.sqlite is locked") });
    const text = JSON.stringify(records);
    expect(text).not.toMatch(/secret|\/home|\\n/);
    expect(records.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["connection_opened", "session_created", "turn_started", "turn_ended", "engine_failed"]),
    );
    expect(records.every((record) => Object.values(record).every((value) => typeof value !== "object"))).toBe(true);
    await client.connection.close();
  });

  it("passes trace context in _meta, to the agent and to the client", async () => {
    served = await Served.start({ authenticate });
    const client = await connect();
    const session = await client.newSession();
    const trace = {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "vendor=1",
      baggage: "user=ann",
    };
    const response = client.prompt(session, "go", trace);
    const turn = await served.turnOf("go");
    const received = served.agents.flatMap((one) => one.received).find(({ method }) => method === "session/prompt");
    expect(received?.params._meta).toMatchObject(trace);
    turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" }, _meta: trace });
    const permission = turn.request("session/request_permission", {
      toolCall: { toolCallId: "t" },
      options: [],
      _meta: trace,
    });
    await client.until(() => client.requests.length === 1);
    expect(client.requests[0]?.params._meta).toMatchObject(trace);
    expect(
      client.updates.find(({ params }) => (params.update as { _meta?: unknown })._meta)?.params.update,
    ).toMatchObject({ _meta: trace });
    client.requests[0]?.respond({ outcome: { outcome: "cancelled" } });
    await permission;
    turn.end();
    await response;
    await client.connection.close();
  });
});
