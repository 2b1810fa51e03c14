import { deferred } from "@acp-kit/jsonrpc/internal";
import { createProxy } from "@acp-kit/proxy";
import fc from "fast-check";
import { expect, test } from "vitest";
import { delivered, info, initialize, rawChain } from "../../test/raw-peer.js";

const prompt = (sessionId: string): object => ({ sessionId, prompt: [] });

test("proxy.no-deadlock: a blocked interceptor of one session delays no other session, nor messages without a session", async () => {
  const gate = deferred();
  const proxy = createProxy({
    info,
    fromClient: {
      "session/prompt": async ({ session }, next) => {
        if (session.id === "s1") await gate.promise;
        return next();
      },
    },
    fromAgent: {
      "session/update": async ({ params }, next) => {
        if (params.sessionId === "s1") await gate.promise;
        return next();
      },
    },
  });
  const { client, agent } = rawChain([proxy]);
  client.request(1, "session/prompt", prompt("s1"));
  agent.chunk("held", "s1");
  client.request(2, "session/prompt", prompt("s2"));
  client.request(3, "session/list", {});
  agent.chunk("free", "s2");
  await delivered();
  expect(agent.names).toEqual(["session/prompt", "session/list"]);
  expect(client.texts("s2")).toEqual(["free"]);
  expect(client.texts("s1")).toEqual([]);
  gate.resolve();
  await delivered();
  expect(client.texts("s1")).toEqual(["held"]);
  expect(agent.names).toHaveLength(3);
});

test("proxy.order: a prompt's response stays after the updates that arrived before it, and a new session's response before its updates", async () => {
  const gates = [deferred(), deferred()];
  const proxy = createProxy({
    info,
    fromClient: {
      "session/new": async (_, next) => {
        const result = await next();
        await gates[0]?.promise;
        return result;
      },
    },
    fromAgent: {
      "session/update": async (_, next) => {
        await gates[1]?.promise;
        return next();
      },
    },
  });
  const { client, agent } = rawChain([proxy]);
  client.request(1, "session/new", { cwd: "/", mcpServers: [] });
  client.request(2, "session/prompt", prompt("s"));
  await delivered();
  agent.respond(1, { sessionId: "s" });
  agent.chunk("first");
  agent.respond(2, { stopReason: "end_turn" });
  await delivered();
  expect(client.names).toEqual([]);
  gates[0]?.resolve();
  await delivered();
  expect(client.names).toEqual([1]);
  gates[1]?.resolve();
  await delivered();
  expect(client.names).toEqual([1, "session/update", 2]);
});

test('order: "free": later messages overtake a permission request that waits for a person', async () => {
  const person = deferred();
  const proxy = createProxy({
    info,
    fromAgent: {
      "session/request_permission": {
        order: "free",
        intercept: async (_, next) => {
          await person.promise;
          return next();
        },
      },
    },
  });
  const { client, agent } = rawChain([proxy]);
  agent.request(1, "session/request_permission", { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] });
  agent.chunk("meanwhile");
  await delivered();
  expect(client.names).toEqual(["session/update"]);
  person.resolve();
  await delivered();
  expect(client.names).toEqual(["session/update", "session/request_permission"]);
});

test("proxy.no-deadlock: requests inside of interceptors, in both directions and all sessions at once, with a full proxy", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("client", "agent"), fc.constantFrom("s1", "s2")), {
        minLength: 1,
        maxLength: 25,
      }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(4_000, 4_194_304),
      async (sends, length, maxHeldBytes) => {
        const proxy = createProxy({
          info,
          maxHeldBytes,
          fromClient: {
            _work: async ({ client, agent }, next) => {
              await Promise.all([client.request("_ask", {}), agent.request("_ask", {})]);
              await next();
            },
          },
          fromAgent: {
            _work: async ({ client, agent }, next) => {
              await client.request("_ask", {});
              await agent.request("_ask", {});
              await next();
            },
          },
        });
        const chain = rawChain(Array.from({ length }, () => proxy));
        for (const peer of [chain.client, chain.agent])
          peer.onMessage = ({ id, method }) => {
            if (method === "_ask") peer.respond(id, null);
          };
        for (const [from, sessionId] of sends) chain[from as "client" | "agent"].notify("_work", { sessionId });
        for (let round = 0; round < 60; round += 1) await delivered();
        for (const [from, to] of [
          ["client", "agent"],
          ["agent", "client"],
        ] as const)
          expect(chain[to].of("_work")).toHaveLength(sends.filter(([sender]) => sender === from).length);
      },
    ),
    { numRuns: 30 },
  );
});

test("proxy.bounded: the proxy stops reading while it holds more than maxHeldBytes, and continues afterwards", async () => {
  const gate = deferred();
  let isOpen = false;
  let running = 0;
  const proxy = createProxy({
    info,
    maxHeldBytes: 10_000,
    fromClient: {
      _note: async (_, next) => {
        if (!isOpen) await gate.promise;
        next();
      },
    },
    fromAgent: {
      "session/update": async (_, next) => {
        running += 1;
        if (!isOpen) await gate.promise;
        next();
      },
    },
  });
  const chain = rawChain([proxy]);
  await initialize(chain);
  const { client, agent } = chain;
  expect(client.transport.full).toBeUndefined();
  for (let n = 0; n < 2_000; n += 1) agent.chunk(`${n}`);
  for (let n = 0; n < 20; n += 1) client.notify("_note", { sessionId: "s", n });
  await delivered();
  const { full } = client.transport;
  expect(full).toBeDefined();
  expect(running).toBe(1);
  expect(agent.transport.full).toBeDefined(); // the proxy does not read
  isOpen = true;
  gate.resolve();
  await full;
  await delivered();
  for (let round = 0; round < 20; round += 1) await delivered();
  expect(client.texts()).toEqual(Array.from({ length: 2_000 }, (_, n) => `${n}`));
  expect(agent.of("_note")).toHaveLength(20);
  expect(agent.transport.full).toBeUndefined();
});

test("proxy.bounded: an interceptor that awaits a response while messages flood in ends the chain at the hard limit", async () => {
  const proxy = createProxy({
    info,
    maxHeldBytes: 10_000,
    fromAgent: {
      "session/update": async ({ agent }, next) => {
        await agent.request("_never");
        next();
      },
    },
  });
  const { client, agent } = rawChain([proxy]);
  for (let n = 0; n < 1_000; n += 1) agent.chunk("a".repeat(100));
  for (let round = 0; round < 5; round += 1) await delivered();
  expect(client.end).toMatchObject({ error: { code: "backlog_full" } });
  expect(agent.end).toBe("ended");
});
