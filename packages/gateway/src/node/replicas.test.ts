import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { afterEach, describe, expect, test } from "vitest";
import { RawAgent } from "../../test/raw-agent.js";
import { RawClient } from "../../test/raw-client.js";
import { ann } from "../../test/rig.js";
import { type Engine, type Gateway, memoryEngine } from "../index.js";
import { createGatewayWith } from "../internal.js";
import { type ReplicaLinkServer, replicaLink } from "./replica-link.js";
import { sqliteEngine } from "./sqlite-engine.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-gateway-"));
  closing.push(async () => rmSync(folder, { recursive: true }));
  return folder;
}

const secret = "0123456789-abcdef";

interface StartedReplica {
  readonly gateway: Gateway;
  readonly link: ReplicaLinkServer | undefined;
  readonly agents: RawAgent[];
  client(): Promise<RawClient>;
}

async function replica(engine: Engine, hasLink: boolean): Promise<StartedReplica> {
  const link = hasLink ? await replicaLink({ address: "127.0.0.1:0", secret }) : undefined;
  const agents: RawAgent[] = [];
  const gateway = await createGatewayWith({
    engine,
    ...(link && { link }),
    start: () => {
      const [ours, theirs] = linkedTransports();
      agents.push(new RawAgent(theirs, { capabilities: { loadSession: true }, knows: () => true }));
      return ours;
    },
  });
  closing.push(async () => {
    await gateway.close();
    await link?.close();
  });
  return {
    gateway,
    link,
    agents,
    client: async () => {
      const [ours, theirs] = linkedTransports();
      gateway.accept(theirs, ann);
      const client = new RawClient(ours);
      await client.initialize();
      return client;
    },
  };
}

/** An engine that counts the messages that replicas send through it. */
function counted(engine: Engine): { readonly engine: Engine; readonly sent: () => number } {
  let sent = 0;
  const join: Engine["join"] = async (options) => {
    const membership = await engine.join(options);
    return {
      ...membership,
      send: (to, message) => {
        sent += 1;
        return membership.send(to, message);
      },
    };
  };
  const wrapped = new Proxy(engine, {
    get: (target, name) => {
      if (name === "join") return join;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { engine: wrapped, sent: () => sent };
}

describe("gateway.replicas: a client of another replica", () => {
  test.each([
    ["directly", true],
    ["through the engine", false],
  ])("prompts the agent of the owner %s, and the clients of both replicas receive the turn", async (_, hasLink) => {
    const { engine, sent } = counted(memoryEngine());
    const [a, b] = [await replica(engine, hasLink), await replica(engine, hasLink)];
    const [first, second] = [await a.client(), await b.client()];
    const { sessionId } = (await first.request("session/new", { cwd: "/", mcpServers: [] })) as { sessionId: string };
    await second.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
    const response = second.prompt(sessionId, "from the other replica");
    response.catch(() => {});
    await expect.poll(() => a.agents.flatMap(({ turns }) => turns)).toHaveLength(1);
    const [turn] = a.agents.flatMap(({ turns }) => turns);
    turn?.say("hello");
    turn?.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(b.agents.flatMap((agent) => agent.methods()).filter((method) => method !== "initialize")).toEqual([]);
    if (hasLink) expect(sent()).toBe(0);
    else expect(sent()).toBeGreaterThan(0);
  });

  test.each([
    ["directly", true, memoryEngine],
    ["through the engine", false, memoryEngine],
    ["through SQLite", false, () => sqliteEngine({ path: join(temporaryFolder(), "gateway.sqlite") })],
  ])("gateway.mcp-elsewhere: serves MCP servers to the agent of the owner %s", async (_, hasLink, create) => {
    const engine = create();
    closing.push(async () => engine.close());
    const [a, b] = [await replica(engine, hasLink), await replica(engine, hasLink)];
    const mcpServers = [{ type: "acp", name: "s", serverId: "s" }];
    const first = await a.client();
    const { sessionId } = (await first.request("session/new", { cwd: "/", mcpServers })) as { sessionId: string };
    await first.connection.close();
    const second = await b.client();
    await second.request("session/load", { sessionId, cwd: "/", mcpServers });
    const prompt = second.prompt(sessionId, "use the server");
    await expect.poll(() => a.agents.flatMap(({ turns }) => turns)).toHaveLength(1);
    const agent = a.agents.find(({ turns }) => turns.length > 0);
    const params = { serverId: "s", requestId: "1", method: "tools/call", params: { text: "é".repeat(100_000) } };
    const response = agent?.connection.request("mcp/message", params);
    await second.until(() => second.requests.length === 1);
    expect(second.requests[0]?.params).toEqual(params);
    second.requests[0]?.respond({ result: { content: [] } });
    expect(await response).toEqual({ result: { content: [] } });
    agent?.turns[0]?.end();
    expect(await prompt).toMatchObject({ stopReason: "end_turn" });
  });

  test("receives messages through the engine after the replica link is lost", async () => {
    const { engine, sent } = counted(memoryEngine());
    const [a, b] = [await replica(engine, true), await replica(engine, true)];
    const [first, second] = [await a.client(), await b.client()];
    const { sessionId } = (await first.request("session/new", { cwd: "/", mcpServers: [] })) as { sessionId: string };
    await second.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
    await a.link?.close();
    const response = second.prompt(sessionId, "go");
    response.catch(() => {});
    await expect.poll(() => a.agents.flatMap(({ turns }) => turns)).toHaveLength(1);
    a.agents.flatMap(({ turns }) => turns)[0]?.end();
    expect(await response).toMatchObject({ stopReason: "end_turn" });
    expect(sent()).toBeGreaterThan(0);
  });

  test("continues an idle session there when the session's replica is drained; a running turn ends first", async () => {
    const engine = memoryEngine();
    const [a, b] = [await replica(engine, true), await replica(engine, true)];
    const [first, second] = [await a.client(), await b.client()];
    const { sessionId } = (await first.request("session/new", { cwd: "/", mcpServers: [] })) as { sessionId: string };
    const running = second
      .request("session/load", { sessionId, cwd: "/", mcpServers: [] })
      .then(() => second.prompt(sessionId, "last"));
    await expect.poll(() => a.agents.flatMap(({ turns }) => turns)).toHaveLength(1);
    const drained = a.gateway.drain({ graceMs: 60_000 });
    a.agents.flatMap(({ turns }) => turns)[0]?.end();
    expect(await running).toMatchObject({ stopReason: "end_turn" });
    await drained;
    const next = second.prompt(sessionId, "next");
    await expect.poll(() => b.agents.flatMap(({ turns }) => turns)).toHaveLength(1);
    b.agents.flatMap(({ turns }) => turns)[0]?.end();
    expect(await next).toMatchObject({ stopReason: "end_turn" });
  });
});
