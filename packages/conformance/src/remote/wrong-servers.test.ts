import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { RightServer, type ServerMistake } from "../../test/right-server.js";
import { remoteScenarios } from "../areas/remote-transport/server.js";
import { testRemote } from "../node/remote/test-remote.js";
import type { ScenarioOutcome } from "../runner/run-options.js";
import type { RemoteContext, RemoteLimits } from "./remote-context.js";

const limits: RemoteLimits = {
  requestTimeoutMs: 1_500,
  turnTimeoutMs: 1_500,
  quietMs: 50,
  cwd: "/work",
  prompt: "hello",
};

/** Runs the scenarios against a server that makes this mistake. */
async function judge(
  mistake: ServerMistake,
  options: { readonly headers?: Record<string, string>; readonly scheme?: "ws" } = {},
): Promise<ScenarioOutcome<RemoteContext>[]> {
  const server = new RightServer(mistake);
  const url = await server.listen();
  try {
    return await testRemote({
      url: options.scheme === "ws" ? url.replace("http", "ws") : url,
      ...(options.headers && { headers: options.headers }),
      limits,
      jobs: 4,
      confirm: false,
      wanted: () => true,
    });
  } finally {
    await server.close();
  }
}

/** Returns the rules that findings cite. A rule is marked if its findings are advice. */
function brokenIn(outcomes: readonly ScenarioOutcome<RemoteContext>[]): readonly string[] {
  const findings = outcomes.flatMap(({ verdict }) => (verdict.status === "failed" ? verdict.findings : []));
  return [...new Set(findings.map(({ requirement, advice }) => `${requirement}${advice ? " advice" : ""}`))].sort();
}

const statusesOf = (outcomes: readonly ScenarioOutcome<RemoteContext>[]): readonly string[] => [
  ...new Set(outcomes.map(({ verdict }) => verdict.status)),
];

test("conformance.transports-of-servers: a server that keeps every rule passes every scenario of both profiles", async () => {
  const outcomes = await judge({});
  expect(
    outcomes.filter(({ verdict }) => verdict.status !== "passed").map(({ check, verdict }) => [check.id, verdict]),
  ).toEqual([]);
  expect(outcomes).toHaveLength(remoteScenarios.length);
});

/** Servers that make one mistake each, and the rules that findings about it cite. */
const wrongServers: readonly (readonly [does: string, mistake: ServerMistake, rules: readonly string[]])[] = [
  ["serves only HTTP/1.1", { withoutHttp2: true }, ["RT-03 advice"]],
  ["accepts any content type", { status: { "content type": 202 } }, ["RT-40"]],
  ["responds to any GET with a stream", { status: { accept: 200 } }, ["RT-47"]],
  ["responds to initialize with 201", { status: { initialized: 201 } }, ["RT-41"]],
  ["responds to initialize with another id", { wrongIdOfInitialize: true }, ["TRANS-10"]],
  ["does not name the connection", { withoutConnectionHeader: true }, ["RT-20", "RT-41"]],
  ["treats a missing connection as an unknown one", { status: { "no connection": 404 } }, ["RT-42", "RT-48", "RT-54"]],
  [
    "treats an unknown connection as a missing one",
    { status: { "unknown connection": 400 } },
    ["RT-43", "RT-49", "RT-53"],
  ],
  ["needs no session header", { status: { "no session": 202 } }, ["RT-44"]],
  ["refuses a batch with 400", { status: { batch: 400 } }, ["RT-45"]],
  ["has a body in its 202", { bodyOfAccepted: "{}" }, ["RT-46"]],
  ["responds to a DELETE with 204", { status: { deleted: 204 } }, ["RT-53"]],
  ["keeps the streams of a deleted connection", { keepsStreams: true }, ["RT-53"]],
  ["streams as plain text", { streamType: "text/plain" }, ["RT-55"]],
  ["opens no stream of a connection", { withoutStream: "connection" }, ["RT-52"]],
  ["opens no stream of a session", { withoutStream: "session" }, ["RT-51"]],
  ["reaches the session of another connection", { status: { "foreign session": 202 } }, ["RT-56"]],
  ["sends noise between messages", { noise: "hello" }, ["TRANS-10"]],
  ["sends each message on every stream", { broadcasts: true }, ["RT-11"]],
  ["sends everything on the stream of the connection", { onConnectionStream: true }, ["RT-11"]],
  ["repeats responses on other streams", { repeatsResponses: true }, ["RT-11"]],
  ["serves binary frames", { servesBinaryFrames: true }, ["RT-22"]],
  ["sends binary frames", { sendsBinaryFrames: true }, ["RT-22"]],
  ["opens sessions before initialize", { needsNoInitialize: true }, ["RT-21 advice"]],
];

test.concurrent.for(wrongServers)(
  "a server that %s breaks exactly that rule",
  async ([, mistake, rules], { expect }) => {
    const outcomes = await judge(mistake);
    expect(brokenIn(outcomes)).toEqual([...rules].sort());
  },
);

test("every rule of servers that a scenario verifies is broken by a wrong server", () => {
  const verified = new Set(remoteScenarios.flatMap(({ verifies }) => verifies));
  const broken = new Set(wrongServers.flatMap(([, , rules]) => rules.map((rule) => rule.split(" ")[0])));
  expect([...verified].filter((rule) => !broken.has(rule))).toEqual([]);
});

test("a server with one profile is tested only with the scenarios of that profile", async () => {
  const socketsOnly = await judge({ withoutProfile: "http" }, { scheme: "ws" });
  expect(brokenIn(socketsOnly)).toEqual([]);
  expect(socketsOnly.filter(({ verdict }) => verdict.status === "passed").map(({ check }) => check.id)).toEqual(
    remoteScenarios.filter(({ id }) => id.startsWith("websocket/")).map(({ id }) => id),
  );
  const httpOnly = await judge({ withoutProfile: "webSocket" });
  expect(brokenIn(httpOnly)).toEqual([]);
  expect(statusesOf(httpOnly)).toEqual(["passed", "skipped"]);
});

test("a server that needs its cookies passes, and no dialogue has their values", async () => {
  const outcomes = await judge({ needsCookies: true });
  const others = outcomes.filter(({ verdict }) => verdict.status !== "passed");
  expect(others.map(({ check, verdict }) => [check.id, verdict])).toEqual([]);
  const dialogues = JSON.stringify(outcomes.map(({ dialogues }) => dialogues));
  expect(dialogues).toContain('"set-cookie":"server=…, theme=…"');
  expect(dialogues).not.toContain("secret-");
});

test.each([{}, { needsCookies: true }, { withoutHttp2: true }])(
  "no connection to a server that is %j stays open after the run",
  async (mistake) => {
    const server = new RightServer(mistake);
    const url = await server.listen();
    await testRemote({ url, limits, jobs: 4, confirm: false, wanted: ({ id }) => !id.startsWith("websocket/") });
    expect(server.openConnections).toBe(0);
    await server.close();
  },
);

test("a server that accepts only one request on each HTTP/2 session passes", async () => {
  const outcomes = await judge({ endsHttp2Sessions: true });
  const others = outcomes.filter(({ verdict }) => verdict.status !== "passed");
  expect(others.map(({ check, verdict }) => [check.id, verdict])).toEqual([]);
});

test("a server whose first response over HTTP/2 is too late is not accused of serving only HTTP/1.1", async () => {
  expect(brokenIn(await judge({ losesFirstHttp2: true }))).toEqual([]);
});

test.each([400, 200, 500, 302])(
  "a server that offers only WebSocket, and responds to any other request with a page of the status %i, breaks no rule",
  async (statusOfPages) => {
    const outcomes = await judge({ withoutProfile: "http", statusOfPages }, { scheme: "ws" });
    expect(brokenIn(outcomes)).toEqual([]);
    expect(statusesOf(outcomes)).toEqual(["skipped", "passed"]);
    expect(outcomes[0]?.verdict).toMatchObject({ reason: expect.stringContaining(`initialize gets ${statusOfPages}`) });
  },
);

test.each([301, 302, 303, 307, 308])(
  "a server that redirects initialize with %i is inconclusive, and the reason names the other address",
  async (status) => {
    const location = "/agents/one?token=secret#secret";
    const outcomes = await judge({ redirect: { status, location } });
    expect(statusesOf(outcomes)).toEqual(["inconclusive"]);
    expect(outcomes[0]?.verdict).toMatchObject({
      reason: expect.stringMatching(
        new RegExp(`initialize gets ${status}, a redirect to http://127\\.0\\.0\\.1:\\d+/agents/one;`),
      ),
    });
  },
);

test.each([undefined, "http://["])("a redirect to %s is inconclusive, too", async (location) => {
  const outcomes = await judge({ redirect: { status: 307, ...(location !== undefined && { location }) } });
  expect(statusesOf(outcomes)).toEqual(["inconclusive"]);
  expect(outcomes[0]?.verdict).toMatchObject({ reason: expect.stringContaining("initialize gets 307, a redirect") });
});

test("a server that needs credentials is inconclusive without them, and passes with them", async () => {
  const credentials = "Bearer secret";
  const without = await judge({ credentials });
  expect(statusesOf(without)).toEqual(["inconclusive"]);
  expect(without[0]?.verdict).toMatchObject({ reason: expect.stringContaining("--token") });
  const outcomes = await judge({ credentials }, { headers: { authorization: credentials } });
  expect(statusesOf(outcomes)).toEqual(["passed"]);
  expect(JSON.stringify(outcomes.map(({ dialogues }) => dialogues))).not.toContain("secret");
});

test("a server that accepts connections, and neither responds nor closes them, is inconclusive and does not hang the kit", async () => {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => sockets.add(socket.on("error", () => {}).resume()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const wanted = ({ id }: { readonly id: string }): boolean => id === "http/initialize";
  const outcomes = await testRemote({ url, limits: { ...limits, requestTimeoutMs: 100 }, confirm: false, wanted });
  expect(statusesOf(outcomes)).toEqual(["inconclusive"]);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test("an address without a server is inconclusive", async () => {
  const server = new RightServer();
  const url = await server.listen();
  await server.close();
  const outcomes = await testRemote({ url, limits, confirm: false, wanted: () => true });
  expect(statusesOf(outcomes)).toEqual(["inconclusive"]);
});
