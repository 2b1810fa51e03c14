import { describe, expect, test } from "vitest";
import { ManualClock } from "../test/manual-clock.js";
import { loads } from "../test/raw-agent.js";
import { RawClient } from "../test/raw-client.js";
import { ann, type Rig, type RigOptions, settled } from "../test/rig.js";
import { startRig } from "../test/start-rig.js";
import { memoryEngine } from "./index.js";

const files = { fs: { readTextFile: true, writeTextFile: true } };
const policy = { delegate: { files: true } };

/**
 * Two replicas on one engine. The first one owns a session in which one turn has ended; `creator` is its client there.
 */
async function ownedByFirst(options: RigOptions = {}) {
  const clock = new ManualClock();
  const engine = memoryEngine({ now: () => clock.now() });
  const first = await startRig({ clock, engine, policy, ...options });
  const second = await startRig({ clock, engine, policy, ...options });
  const creator = await first.client(ann, files);
  const sessionId = await creator.newSession();
  const { turn, response } = await first.turn(creator, sessionId);
  turn.end();
  await response;
  return { clock, first, second, creator, sessionId };
}

/** Returns the client that received the next request for a file, and responds to it. */
async function serverOf(rig: Rig, ...clients: readonly RawClient[]): Promise<RawClient | undefined> {
  const before = clients.map(({ requests }) => requests.length);
  const file = rig.agent.connection.request("fs/read_text_file", { sessionId: "agent-1", path: "/x" });
  const received = clients.map((client, i) => client.until(() => client.requests.length > (before[i] ?? 0)));
  await Promise.race([...received, file]);
  const server = clients.find(({ requests }, i) => requests.length > (before[i] ?? 0));
  server?.requests.at(-1)?.respond({ content: "" });
  await file;
  return server;
}

describe("a client that is attached, but idle", () => {
  test.each(["first", "second"] as const)(
    "keeps the session open when another client closes it (connected to the %s replica)",
    async (name) => {
      const { clock, creator, sessionId, ...replicas } = await ownedByFirst();
      const idle = await replicas[name].client();
      await idle.resume(sessionId);
      await clock.advance(20_000);
      await creator.request("session/close", { sessionId });
      expect(replicas.first.gateway.status().sessions).toBe(1);
      const { turn, response } = await replicas.first.turn(idle, sessionId, "next");
      turn.end();
      await clock.advance(3_000); // the second replica reads the end of the turn from the engine
      expect(await response).toMatchObject({ stopReason: "end_turn" });
    },
  );

  test("keeps the session open when another client closes it immediately after the client has resumed it at another replica", async () => {
    const { first, second, creator, sessionId } = await ownedByFirst();
    const idle = await second.client();
    await idle.resume(sessionId);
    await settled();
    await creator.request("session/close", { sessionId });
    expect(first.gateway.status().sessions).toBe(1);
  });

  test("still serves the agent's requests for files, although another client is busy", async () => {
    const { clock, first, creator, sessionId } = await ownedByFirst();
    expect(await serverOf(first, creator)).toBe(creator);
    const other = await first.client(ann, files);
    await other.resume(sessionId);
    await clock.advance(20_000);
    await first.turn(other, sessionId, "next");
    expect(await serverOf(first, creator, other)).toBe(creator);
  });

  test("serves the agent's requests for files while the agent handles a call of the client in a session that was asleep", async () => {
    const rig = await startRig({
      policy: { ...policy, sleepAfterMs: 1_000 },
      agent: { knows: () => true, capabilities: { loadSession: true } },
    });
    const client = await rig.client(ann, files);
    const sessionId = await client.newSession();
    await rig.clock.advance(5_000);
    expect(rig.gateway.status().sessions).toBe(0);
    void client.request("_x", { sessionId });
    await client.until(() => client.log.includes("_x -> ok"));
    expect(await serverOf(rig, client)).toBe(client);
  });

  test("does not wake a session that sleeps, at any replica", async () => {
    const { clock, first, second, sessionId } = await ownedByFirst({ agent: loads });
    const idle = await second.client();
    await idle.resume(sessionId);
    await clock.advance(700_000); // longer than `sleepAfterMs`
    const statuses = [first, second].map((rig) => rig.gateway.status().sessions);
    expect(statuses).toEqual([0, 0]);
    const opened = [...first.events, ...second.events].filter(({ type }) => type === "session_opened");
    expect(opened).toHaveLength(1);
  });

  test("is known to the next owner of the session after the owner's first entry", async () => {
    const { clock, first, second, creator, sessionId } = await ownedByFirst();
    const third = await startRig({ clock, engine: first.engine, policy });
    const idle = await second.client(ann, files);
    await idle.resume(sessionId);
    await creator.connection.close();
    await first.gateway.drain();
    const prompter = await third.client();
    await prompter.resume(sessionId);
    await prompter.prompt(sessionId, "next").catch(() => {}); // `session_lost`: the agent can't load sessions
    await settled();
    await prompter.request("session/close", { sessionId });
    expect(third.gateway.status().sessions).toBe(1);
  });
});

/** Connects a client that may continue on another connection. */
async function connect(rig: Rig) {
  const transport = rig.accept();
  const client = new RawClient(transport);
  await client.connection.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { ...files, _meta: { "acp-kit/cursors": true } },
    _meta: { "acp-kit/client": "the client" },
  });
  return { client, break: () => transport.break(new Error("the network failed")) };
}

/** Sends a request for a file. `state` becomes the response or the error. */
function requestFile(rig: Rig) {
  const file: { state: unknown } = { state: "pending" };
  rig.agent.connection.request("fs/read_text_file", { sessionId: "agent-1", path: "/x" }).then(
    (result) => {
      file.state = result;
    },
    (error: unknown) => {
      file.state = error;
    },
  );
  return file;
}

const gone = { data: { reason: "client_gone" } };

describe("a client whose connection broke", () => {
  test.each(["first", "second"] as const)(
    "stays attached for `reconnectTimeoutMs` (connected to the %s replica)",
    async (name) => {
      const { clock, creator, sessionId, ...replicas } = await ownedByFirst();
      const connection = await connect(replicas[name]);
      await connection.client.resume(sessionId);
      await creator.connection.close();
      connection.break();
      await clock.advance(50_000);
      const file = requestFile(replicas.first);
      await clock.advance(5_000);
      expect(file.state).toBe("pending");
      await clock.advance(10_000);
      expect(file.state).toMatchObject(gone);
    },
  );

  test("stays attached until it has opened its session again, although that takes longer than a report lasts", async () => {
    const { clock, first, creator, sessionId } = await ownedByFirst();
    const connection = await connect(first);
    await connection.client.resume(sessionId);
    await creator.connection.close();
    const file = requestFile(first);
    await clock.advance(1_000);
    connection.break();
    await settled();
    const { client } = await connect(first);
    await clock.advance(20_000);
    await client.resume(sessionId);
    await client.until(() => client.requests.length === 1);
    expect(file.state).toBe("pending");
    await clock.advance(60_000);
    client.requests[0]?.respond({ content: "hello" });
    await settled();
    expect(file.state).toEqual({ content: "hello" });
  });

  test("stays attached on its new connection when the replica of the previous connection reports that it has left", async () => {
    const { clock, first, second, creator, sessionId } = await ownedByFirst();
    const connection = await connect(second);
    await connection.client.resume(sessionId);
    await creator.connection.close();
    await clock.advance(1_000);
    connection.break();
    await settled();
    const { client } = await connect(first);
    await client.resume(sessionId);
    await clock.advance(10_000);
    const file = requestFile(first);
    await client.until(() => client.requests.length === 1);
    await clock.advance(60_000); // the second replica reports that the client has left
    expect(file.state).toBe("pending");
    await client.connection.close();
    await clock.advance(1_000);
    expect(file.state).toMatchObject(gone);
  });

  test("leaves all its connections with the last one", async () => {
    const { clock, first, creator, sessionId } = await ownedByFirst();
    const connection = await connect(first);
    await connection.client.resume(sessionId);
    await creator.connection.close();
    const file = requestFile(first);
    await settled();
    connection.break();
    const { client } = await connect(first);
    await client.resume(sessionId);
    await client.until(() => client.requests.length === 1);
    expect(file.state).toBe("pending");
    await client.connection.close();
    await clock.advance(1_000);
    expect(file.state).toMatchObject(gone);
  });
});
