import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test/manual-clock.js";
import { RawClient } from "../../test/raw-client.js";
import { ann, settled } from "../../test/rig.js";
import { startRig } from "../../test/start-rig.js";
import type { AgentPool } from "../agent/agent-pool.js";
import { sleep } from "../clock.js";
import type { Replica } from "../cluster/replica.js";
import type { Engine } from "../engine/engine.js";
import { memoryEngine } from "../engine/memory-engine.js";
import { allLimitDefaults, allTimeDefaults } from "../limits.js";
import { McpServers } from "../mcp-servers.js";
import type { GatewayPrincipal } from "../principal.js";
import { PrincipalMemory } from "../principal-memory.js";
import { ClientConnection } from "./client-connection.js";
import { KnownClients } from "./known-clients.js";

const files = { fs: { readTextFile: true } };

/** Sends `initialize` as a client that may continue on another connection. */
function initialize(client: RawClient, id: unknown): Promise<Record<string, unknown>> {
  return client.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { ...files, _meta: { "acp-kit/cursors": true } },
    _meta: { "acp-kit/client": id },
  });
}

test.each(["load", "resume"] as const)("an invalid session/%s leaves no journal open", async (method) => {
  const clock = new ManualClock();
  const engine = memoryEngine({ now: () => clock.now() });
  let watches = 0;
  const watch = engine.watch.bind(engine);
  engine.watch = (key, onChange) => {
    const stop = watch(key, onChange);
    watches += 1;
    return () => {
      watches -= 1;
      stop();
    };
  };
  const rig = await startRig({ engine, clock, policy: { sleepAfterMs: 1_000 } });
  const creator = await rig.client();
  const sessionId = await creator.newSession();
  await creator.connection.close();
  await clock.advance(5_000);
  expect(watches).toBe(0);
  const client = await rig.client();
  const params = { sessionId, cwd: "/work", mcpServers: [], _meta: { "acp-kit/prompts": 5 } };
  await expect(client.request(`session/${method}`, params)).rejects.toMatchObject({ code: -32602 });
  expect(watches).toBe(0);
});

describe("a client that may continue on another connection", () => {
  test("does not count as present if its connection breaks before the agent has started", async () => {
    const profile = deferred<object>();
    const replica = { id: "replica" } as Replica;
    const clock = new ManualClock();
    const arrived: string[] = [];
    const clients = new KnownClients(clock, 1_000, 10);
    const arrive = clients.arrive.bind(clients);
    clients.arrive = (scope, id, connection) => {
      arrived.push(id);
      return arrive(scope, id, connection);
    };
    const [ours, theirs] = linkedTransports();
    const connection = new ClientConnection(theirs, {
      id: "connection",
      principal: ann,
      engine: {} as Engine,
      replica,
      agents: { describe: () => profile.promise } as unknown as AgentPool,
      mcp: new McpServers(),
      clock,
      limits: allLimitDefaults,
      times: allTimeDefaults(),
      emit: () => {},
      onDiagnostic: undefined,
      memory: new PrincipalMemory(allLimitDefaults.maxQueuedBytes),
      clients,
    });
    initialize(new RawClient(ours), "the client").catch(() => {});
    await settled();
    ours.break(new Error("the network failed"));
    await connection.closed;
    profile.resolve({ protocolVersion: 1 });
    await settled();
    expect(arrived).toEqual([]);
  });

  test("receives the updates of a call that it repeats on another connection before the response", async () => {
    const clock = new ManualClock();
    const engine = memoryEngine({ now: () => clock.now() });
    const read = engine.read.bind(engine);
    let readMs = 0;
    engine.read = async (...args) => {
      if (readMs > 0) await sleep(clock, readMs);
      return read(...args);
    };
    // So that older entries are read from the engine
    const rig = await startRig({ clock, engine, limits: { maxRecentChars: 0 } });
    const connect = async () => {
      const transport = rig.accept();
      const client = new RawClient(transport);
      await initialize(client, "the id");
      return { client, transport };
    };
    const first = await connect();
    const sessionId = await first.client.newSession();
    let calls = 0;
    rig.agent.connection.onRequest("_work", () => {
      calls += 1;
      for (const text of ["a", "b", "c"]) {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
        void rig.agent.connection.notify("session/update", { sessionId: "agent-1", update });
      }
      return {};
    });
    await first.client.request("_work", { sessionId });
    first.transport.break(new Error("the network failed"));
    const { client } = await connect();
    readMs = 50;
    const opened = client.resume(sessionId, { "acp-kit/cursor": "j0.0" });
    const repeated = opened.then(() => client.request("_work", { sessionId })); // has the same JSON-RPC id
    await clock.advance(5_000);
    await repeated;
    expect(client.log.slice(1)).toEqual(["session/resume -> ok", "agent: a", "agent: b", "agent: c", "_work -> ok"]);
    expect(calls).toBe(1);
  });

  test("keeps its connection and its requests when an observer uses its id", async () => {
    const rig = await startRig({ policy: { delegate: { files: true } } });
    const start = async (principal: GatewayPrincipal) => {
      const client = new RawClient(rig.accept(principal));
      const { _meta } = await initialize(client, "the id");
      expect(_meta).toMatchObject({ "acp-kit/client": "the id" });
      return client;
    };
    const client = await start(ann);
    const sessionId = await client.newSession();
    const observer = await start({ ...ann, access: "observe" });
    await observer.resume(sessionId);
    await settled();
    expect(client.connection.state).toBe("open");
    const { turn } = await rig.turn(client, sessionId);
    const file = turn.request("fs/read_text_file", { path: "/x" });
    await client.until(() => client.requests.length === 1);
    await observer.connection.close();
    await settled();
    client.requests[0]?.respond({ content: "hello" });
    expect(await file).toEqual({ content: "hello" });
  });
});
