import { createProxy, type ProxyDefinition } from "@acp-kit/proxy";
import { agentRequests, clientRequests } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { agentResult, delivered, info, initialize, rawChain } from "../../test/raw-peer.js";

type Capabilities = Record<string, unknown>;

/** Returns capabilities with the one at a path of the method table, such as `agent.sessionCapabilities.list`. */
function withCapability(path: string): Capabilities {
  const names = path.split(".").slice(1);
  return names.reduceRight<unknown>((value, name) => ({ [name]: value }), {}) as Capabilities;
}

const flag = (capabilities: Capabilities): Capabilities =>
  JSON.parse(JSON.stringify(capabilities).replaceAll("{}", "true"));

const ALL = "*";

const gated = [
  ...Object.entries(agentRequests).map(([method, { capability }]) => ({ side: "agent" as const, method, capability })),
  ...Object.entries(clientRequests).map(([method, { capability }]) => ({
    side: "client" as const,
    method,
    capability,
  })),
].flatMap(({ capability, ...rest }) => (capability ?? []).map((path) => ({ ...rest, path })));

const optionOf = (side: "agent" | "client"): "agentCapabilities" | "clientCapabilities" => `${side}Capabilities`;

describe("proxy.capabilities: every capability of the schema that methods need", () => {
  test("the schema has such capabilities of both sides", () => {
    expect(new Set(gated.map(({ side }) => side)).size).toBe(2);
    expect(gated.length).toBeGreaterThan(10);
  });

  test.each(gated)("removed: $method of $side gets -32601, and nothing reaches the other side", async (gate) => {
    const { side, method, path } = gate;
    const advertised = flag(withCapability(path));
    const proxy = createProxy({ info, [optionOf(side)]: () => ({}) } as ProxyDefinition);
    for (const beside of ["client", "agent"] as const) {
      const chain = rawChain([createProxy({ info }), proxy], { beside });
      await initialize(chain, {
        capabilities: side === "client" ? advertised : {},
        result: { ...agentResult, agentCapabilities: side === "agent" ? advertised : {} },
      });
      const [sender, receiver] = side === "agent" ? [chain.client, chain.agent] : [chain.agent, chain.client];
      const shown =
        side === "agent"
          ? (chain.client.response(0).result as never as Capabilities)
          : chain.agent.params("initialize");
      expect(shown[optionOf(side)]).toEqual({});
      const before = receiver.received.length;
      sender.request("x", method, { sessionId: "s" });
      await delivered();
      expect(sender.response("x").error).toMatchObject({
        code: -32601,
        data: { method, "acp-kit/hop": { name: "house-rules", index: 1, reason: "refused" } },
      });
      expect(receiver.received).toHaveLength(before);
    }
  });

  test.each(gated)("added: $path needs an interceptor for each of its methods", ({ side, path }) => {
    const methods = gated.filter((each) => each.path === path).map(({ method }) => method);
    const option = side === "agent" ? "fromClient" : "fromAgent";
    const define = (names: readonly string[]): ProxyDefinition => ({
      info,
      [optionOf(side)]: (capabilities: Capabilities) => ({ ...capabilities, ...flag(withCapability(path)) }),
      [option]: Object.fromEntries(names.map((name) => [name, () => ({})])),
    });
    expect(() => createProxy(define([]))).toThrow(expect.objectContaining({ option: optionOf(side) }));
    for (const missing of methods)
      expect(() => createProxy(define(methods.filter((name) => name !== missing)))).toThrow(missing);
    expect(() => createProxy(define(methods))).not.toThrow();
    expect(() => createProxy(define([ALL]))).not.toThrow();
  });
});

test("an added capability reaches the client, and its method the interceptor", async () => {
  const proxy = createProxy({
    info,
    agentCapabilities: (capabilities) => ({ ...capabilities, sessionCapabilities: { list: {} } }),
    fromClient: { "session/list": () => ({ sessions: [] }) },
  });
  const chain = rawChain([proxy]);
  await initialize(chain, { result: { protocolVersion: 1, agentCapabilities: {} } });
  expect(chain.client.response(0).result).toMatchObject({ agentCapabilities: { sessionCapabilities: { list: {} } } });
  chain.client.request(1, "session/list", {});
  await delivered();
  expect(chain.client.response(1).result).toEqual({ sessions: [] });
});

test("a capability that is added only for some agents, without an interceptor, fails the connection with the proxy's name", async () => {
  const proxy = createProxy({
    info,
    agentCapabilities: (capabilities) =>
      capabilities.loadSession ? { ...capabilities, auth: { logout: {} } } : capabilities,
  });
  const chain = rawChain([proxy]);
  await initialize(chain);
  expect(chain.client.response(0).error?.data).toEqual({
    "acp-kit/hop": { name: "house-rules", index: 0, reason: "proxy_failed" },
  });
});

test("proxy.versions: the version and the names of both peers never change, and the result lists the proxies from the client on", async () => {
  const proxy = createProxy({
    info,
    fromClient: {
      initialize: async ({ params }, next) => {
        const result = await next({ ...params, protocolVersion: 7, clientInfo: { name: "other", version: "0" } });
        return { ...result, protocolVersion: 9, agentInfo: { name: "other", version: "0" } };
      },
    },
  });
  const chain = rawChain([createProxy({ info: { name: "outer", version: "2" } }), proxy]);
  const clientInfo = { name: "client", version: "1" };
  chain.client.request(0, "initialize", { protocolVersion: 1, clientInfo, clientCapabilities: {} });
  await delivered();
  expect(chain.agent.params("initialize")).toMatchObject({ protocolVersion: 1, clientInfo });
  chain.agent.respond(0, { ...agentResult, _meta: { kept: 1 } });
  await delivered();
  expect(chain.client.response(0).result).toMatchObject({
    ...agentResult,
    _meta: { kept: 1, "acp-kit/proxies": [{ name: "outer", version: "2" }, info] },
  });
});

test("proxy.versions: a version that the proxy does not support fails with its name, and nothing passes afterwards", async () => {
  const chain = rawChain([createProxy({ info, fromAgent: { "fs/write_text_file": (_, next) => next() } })]);
  await initialize(chain, { result: { ...agentResult, protocolVersion: 2 } });
  const { client, agent } = chain;
  const refusal = {
    message: 'The ACP proxy "house-rules" supports version 1, but the agent chose version 2 of the protocol',
    data: { "acp-kit/hop": { name: "house-rules", index: 0, reason: "version" } },
  };
  expect(client.response(0).error).toMatchObject(refusal);
  client.request(1, "session/new", {});
  agent.request(2, "fs/write_text_file", {});
  agent.notify("session/update", {});
  await delivered();
  expect(client.response(1).error).toMatchObject(refusal);
  expect(agent.response(2).error).toMatchObject(refusal);
  expect(client.names).toEqual([0, 1]);
  expect(agent.names).toEqual(["initialize", 2]);
});

test("proxy.versions: passUnknownVersions gives interceptors the params of other versions as they are", async () => {
  const seen: unknown[] = [];
  const proxy = createProxy({
    info,
    passUnknownVersions: true,
    fromAgent: {
      "session/update": ({ params }, next) => {
        seen.push(params);
        next();
      },
    },
  });
  const chain = rawChain([proxy]);
  await initialize(chain, { result: { ...agentResult, protocolVersion: 2 } });
  chain.agent.notify("session/update", { v2: true });
  await delivered();
  expect(chain.client.response(0).result).toMatchObject({ protocolVersion: 2 });
  expect(seen).toEqual([{ v2: true }]);
  expect(chain.client.params("session/update")).toEqual({ v2: true });
});

test("a proxy's own request needs the capability that its receiver advertised, whatever the other side sees", async () => {
  const results: unknown[] = [];
  const proxy = createProxy({
    info,
    clientCapabilities: () => ({}),
    fromClient: {
      _do: async ({ client }) => {
        const read = client.request("fs/read_text_file", { sessionId: "s", path: "/a" });
        results.push((await read).content);
        await client
          .request("terminal/kill", { sessionId: "s", terminalId: "t" })
          .catch((error) => results.push(`${error}`));
        return 1;
      },
    },
  });
  const chain = rawChain([proxy]);
  await initialize(chain, { capabilities: { fs: { readTextFile: true } } });
  chain.client.request(1, "_do");
  await delivered();
  chain.client.respond(chain.client.idOf("fs/read_text_file"), { content: "text" });
  await delivered();
  expect(results).toEqual([
    "text",
    "CapabilityError: terminal/kill needs client.terminal, which the peer did not advertise",
  ]);
});
