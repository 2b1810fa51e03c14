import { tokenAuthentication } from "@acp-kit/http";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { afterEach, describe, expect, it } from "vitest";
import { RawClient } from "../../test/raw-client.js";
import { Served } from "../../test/served.js";

let served: Served;
afterEach(() => served.close());

const authenticate = tokenAuthentication(
  new Map([
    ["for-ann", { tenant: "acme", user: "ann" }],
    ["for-bob", { tenant: "acme", user: "bob" }],
  ]),
);

const profiles = [
  { profile: "streamable HTTP", open: (token: string) => httpAgent(served.server.url, { token }).open() },
  { profile: "WebSocket", open: (token: string) => webSocketAgent(served.server.webSocketUrl, { token }).open() },
] as const;

describe.each(profiles)("serveGateway over $profile", ({ open }) => {
  async function connect(token: string): Promise<RawClient> {
    const client = new RawClient(await open(token));
    await client.initialize();
    return client;
  }

  it("acts on behalf of the authenticated principal", async () => {
    served = await Served.start({ authenticate });
    const ann = await connect("for-ann");
    const session = await ann.newSession();
    expect((await ann.request("session/list")).sessions).toHaveLength(1);
    const bob = await connect("for-bob");
    expect((await bob.request("session/list")).sessions).toHaveLength(0);
    const foreign = await bob.load(session).catch((error: unknown) => error);
    const invented = await bob.load("invented").catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: -32002 });
    expect(foreign).toEqual(invented);
  });

  it("attaches a client to a running turn of another connection, and reports that the turn runs and when it ends", async () => {
    served = await Served.start({ authenticate });
    const first = await connect("for-ann");
    const session = await first.newSession();
    const { turn, response } = await served.turn(first, session, "hello");
    turn.say("one ");
    await first.until(() => first.text === "one ");
    const second = await connect("for-ann");
    expect(await second.load(session)).toMatchObject({ _meta: { "acp-kit/turn": "running" } });
    turn.say("two");
    turn.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    await second.until(() => second.log.includes("turn idle"));
    expect(second.text).toBe("one two");
    expect(second.log.filter((line) => line.startsWith("user"))).toEqual(["user: hello"]);
  });

  it("refuses new connections while it drains, and waits for the end of a running turn", async () => {
    served = await Served.start({ authenticate });
    const client = await connect("for-ann");
    const session = await client.newSession();
    const { turn, response } = await served.turn(client, session, "hello");
    const drained = served.server.drain({ graceMs: 10_000 });
    const { status } = await fetch(new URL("/readyz", served.server.url));
    expect(status).toBe(503);
    await expect(connect("for-ann")).rejects.toThrow();
    turn.say("the end");
    turn.end();
    await expect(response).resolves.toMatchObject({ stopReason: "end_turn" });
    await drained;
    expect(client.text).toBe("the end");
  });
});

it("responds at /healthz and /readyz without authentication and without details", async () => {
  served = await Served.start({ authenticate });
  const get = async (path: string): Promise<[number, string]> => {
    const response = await fetch(new URL(path, served.server.url));
    return [response.status, await response.text()];
  };
  expect(await get("/healthz")).toEqual([200, "ok\n"]);
  expect(await get("/readyz")).toEqual([200, "ready\n"]);
  expect(await get("/other")).toEqual([404, ""]);
});

// Other systems have only the loopback address 127.0.0.1.
it.runIf(process.platform === "linux")(
  "accepts requests for all its pages at the address on which it listens",
  async () => {
    const metrics = { contentType: "text/plain", text: async () => "requests 1" };
    served = await Served.start({ host: "127.0.0.2", metrics });
    const client = new RawClient(await httpAgent(served.server.url).open());
    await client.initialize();
    const session = await client.newSession();
    const paths = ["/metrics", `/acp/sessions/${session}/journal`];
    const responses = await Promise.all(paths.map((path) => fetch(new URL(path, served.server.url))));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  },
);
