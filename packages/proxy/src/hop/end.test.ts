import { ConnectionError, linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { createProxy, withProxies } from "@acp-kit/proxy";
import type { WireMessage } from "@acp-kit/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delivered, info, type Json, RawPeer, rawChain } from "../../test/raw-peer.js";

const prompt = { sessionId: "s", prompt: [] };

describe("the end of a connection", () => {
  test("proxy.settles-once: messages that an interceptor holds when the agent ends are delivered before the end", async () => {
    const gate = deferred();
    const proxy = createProxy({
      info,
      fromAgent: {
        "session/update": async (_, next) => {
          await gate.promise;
          return next();
        },
      },
    });
    const { client, agent } = rawChain([proxy, createProxy({ info })]);
    agent.chunk("last words");
    await delivered();
    await agent.transport.close();
    await delivered();
    expect(client.end).toBe("open");
    gate.resolve();
    await delivered();
    expect(client.texts()).toEqual(["last words"]);
    expect(client.end).toBe("ended");
  });

  test("proxy.settles-once: the agent's end aborts signals, rejects next() and own requests, and is the only reason that the client gets", async () => {
    const reasons: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": async ({ signal, agent }, next) => {
          signal.addEventListener("abort", () => reasons.push(signal.reason.code));
          await Promise.all([next(), agent.request("_own")]).catch((error) => reasons.push(error.code));
          throw new Error("the interceptor fails, too");
        },
      },
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "session/prompt", prompt);
    await delivered();
    await agent.transport.close();
    await delivered();
    expect(reasons.sort()).toEqual(["peer_closed", "peer_closed"]);
    expect(client.received).toEqual([]);
    expect(client.end).toBe("ended");
  });

  test("proxy.settles-once: the client's close aborts signals and ends the agent; a late interceptor sends nothing", async () => {
    const gate = deferred();
    const problems: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": async ({ signal }, next) => {
          signal.addEventListener("abort", () => problems.push(signal.reason.code));
          await gate.promise;
          return next();
        },
      },
      onDiagnostic: ({ code }) => problems.push(code),
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "session/prompt", prompt);
    await delivered();
    await client.transport.close();
    gate.resolve();
    await delivered();
    expect(problems).toEqual(["closed"]);
    expect(agent.received).toEqual([]);
    expect(agent.end).toBe("ended");
  });

  test("proxy.settles-once: a transport that fails fails for both sides with its own error", async () => {
    const error = new Error("cable cut");
    const { client, agent, breakAgent } = rawChain([createProxy({ info }), createProxy({ info })]);
    breakAgent(error);
    await delivered();
    expect(client.end).toEqual({ error });
    expect(agent.end).toEqual({ error });
  });

  test("proxy.settles-once: an interceptor that never ends does not hold the end for longer than a second", async () => {
    const proxy = createProxy({ info, fromAgent: { "session/update": () => new Promise<void>(() => {}) } });
    const { client, agent } = rawChain([proxy]);
    agent.chunk("held");
    await delivered();
    await agent.transport.close();
    await client.ended;
    expect(client.received).toEqual([]);
  });

  test("proxy.settles-once: each request settles once or ends with the connection, after a fault at any message", async () => {
    const kind = fc.constantFrom("prompt", "read", "chunk", "answer", "turn");
    await fc.assert(
      fc.asyncProperty(
        fc.array(kind, { maxLength: 20 }),
        fc.constantFrom("break", "agent closes", "client closes", "throw"),
        fc.integer({ min: 1, max: 3 }),
        async (steps, fault, length) => {
          const proxies = Array.from({ length }, () =>
            createProxy({
              info,
              fromClient: { "session/prompt": async (_, next) => await next() },
              fromAgent: {
                "fs/read_text_file": async (_, next) => await next(),
                "session/update": async (_, next) => {
                  await Promise.resolve();
                  return next();
                },
              },
            }),
          );
          const { client, agent, breakAgent } = rawChain(proxies);
          let count = 0;
          const responded = new Set<WireMessage>();
          const respond = (peer: RawPeer): void => {
            const open = peer.received.find(
              (message) => message.method !== undefined && message.id !== undefined && !responded.has(message),
            );
            if (open === undefined) return;
            responded.add(open);
            peer.respond(open.id, peer === agent ? { stopReason: "end_turn" } : { content: "" });
          };
          for (const each of steps) {
            count += 1;
            if (each === "prompt") client.request(count, "session/prompt", prompt);
            else if (each === "read") agent.request(count, "fs/read_text_file", { sessionId: "s", path: "/a" });
            else if (each === "chunk") agent.chunk("a");
            else respond(each === "answer" ? client : agent);
            if (count % 3 === 0) await delivered();
          }
          if (fault === "break") breakAgent(new Error("cut"));
          else if (fault === "agent closes") await agent.transport.close();
          else if (fault === "client closes") await client.transport.close();
          await delivered();
          const sent = [client.received.length, agent.received.length];
          for (let id = 1; id <= count; id += 1)
            expect(client.responses(id).length + agent.responses(id).length).toBeLessThanOrEqual(1);
          if (fault === "throw") return;
          client.request(99, "session/prompt", prompt);
          await delivered();
          expect([client.received.length, agent.received.length]).toEqual(sent);
          if (fault !== "client closes") expect(client.end).not.toBe("open");
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("hostile components", () => {
  test("proxy.hostile: a message that two receivers could read differently is refused, if the proxy decides about messages", async () => {
    const reports: string[] = [];
    const proxy = createProxy({
      info,
      fromClient: { "session/prompt": (_, next) => next() },
      onDiagnostic: ({ message }) => reports.push(message),
    });
    const { client, agent } = rawChain([proxy]);
    const odd: Json[] = [
      { id: 1, method: "session/new", Method: "session/prompt" },
      { id: 2, method: "session/new", PARAMS: {} },
      { id: 3, method: "session/new", result: {} },
      { ID: 4, method: "_note" },
      { id: 5, result: {}, error: { code: 1, message: "" } },
    ];
    for (const message of odd) client.send(message);
    client.transport.send([{ jsonrpc: "2.0", id: 6, method: "session/prompt" }] as never);
    await delivered();
    expect(agent.received).toEqual([]);
    expect(client.received.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [1, -32600],
      [2, -32600],
      [3, -32600],
    ]);
    expect(reports).toHaveLength(6);
  });

  test("proxy.hostile: a request in the form of a notification, and the reverse, are refused if they are intercepted", async () => {
    const proxy = createProxy({
      info,
      fromAgent: { "fs/write_text_file": (_, next) => next(), "session/update": (_, next) => next() },
    });
    const { client, agent } = rawChain([proxy]);
    agent.notify("fs/write_text_file", { sessionId: "s", path: "/etc/passwd", content: "" });
    agent.request(1, "session/update", { sessionId: "s" });
    await delivered();
    expect(client.received).toEqual([]);
    expect(agent.response(1).error?.code).toBe(-32600);
  });

  test("proxy.hostile: forged ids: responses for requests that the other side never got, and ids that are in use", async () => {
    const gate = deferred();
    const reports: string[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": async (_, next) => {
          await gate.promise;
          return next();
        },
      },
      onDiagnostic: ({ code }) => reports.push(code),
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "session/prompt", prompt);
    agent.respond(1, { stopReason: "end_turn" });
    client.request(1, "session/new", {});
    await delivered();
    expect(reports).toEqual(["unknown_response"]);
    expect(client.response(1).error?.code).toBe(-32600);
    expect(agent.received).toEqual([]);
    gate.resolve();
    await delivered();
    agent.respond(1, { stopReason: "end_turn" });
    agent.respond(1, { stopReason: "refusal" });
    await delivered();
    expect(client.responses(1).slice(1, 2)).toEqual([{ jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } }]);
  });

  test("proxy.hostile: more open requests than the limit are refused, and other messages pass", async () => {
    const { client, agent } = rawChain([createProxy({ info })]);
    for (let id = 1; id <= 10_001; id += 1) client.request(id, "_do");
    await delivered();
    expect(agent.received).toHaveLength(10_000);
    expect(client.response(10_001).error?.message).toContain("More than 10000 requests are open");
    agent.chunk("works");
    await delivered();
    expect(client.texts()).toEqual(["works"]);
  });

  test("proxy.hostile: members and ids named like properties of every object, deep values and long values", async () => {
    const proxy = createProxy({
      info,
      fromAgent: { "session/update": { agent_message_chunk: ({ params }, next) => next({ ...params }) } },
      fromClient: { _do: ({ params }, next) => next(params) },
    });
    const { client, agent } = rawChain([proxy]);
    const message = JSON.parse('{"jsonrpc":"2.0","id":"__proto__","method":"_do","params":{"__proto__":{"a":1}}}');
    client.transport.send(message);
    client.request("constructor", "toString", {});
    agent.notify("hasOwnProperty", { sessionId: "__proto__" });
    agent.chunk("deep", "constructor");
    await delivered();
    expect(JSON.stringify(agent.received[0])).toBe(JSON.stringify(message));
    expect(agent.names).toEqual(["_do", "toString"]);
    expect(client.names).toEqual(["hasOwnProperty", "session/update"]);
    for (const id of ["__proto__", "constructor"]) agent.respond(id, 1);
    await delivered();
    expect(client.names.slice(2)).toEqual(["__proto__", "constructor"]);
  });

  test("proxy.hostile: values that can't be serialized: the sender gets the error, and the chain works on", async () => {
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": (_, next) => next({ sessionId: "s", prompt: [1n] } as never),
        "session/close": async (_, next) => ({ ...(await next()), big: 1n }) as never,
      },
      fromAgent: { "fs/read_text_file": () => ({ content: 1n }) as never },
    });
    const { client, agent } = rawChain([proxy]);
    const params = { big: 1n } as never;
    const message = { jsonrpc: "2.0", id: 1, method: "session/prompt", params } as const;
    expect(() => client.transport.send(message)).toThrow(TypeError); // a raw peer would check the value itself
    client.request(2, "session/prompt", prompt);
    agent.request(3, "fs/read_text_file", { sessionId: "s", path: "/a" });
    await delivered();
    expect(client.response(2).error?.code).toBe(-32603);
    expect(agent.response(3).error?.code).toBe(-32603);
    client.request(2, "session/prompt", prompt); // the id is free
    await delivered();
    expect(client.responses(2)).toHaveLength(2);
  });
});

describe("withProxies", () => {
  test("a promise of a transport, and a source that opens one for each connection", async () => {
    const proxy = createProxy({ info, fromClient: { _do: () => "done" } });
    const use = async (transport: Transport): Promise<void> => {
      const client = new RawPeer(transport);
      client.request(1, "_do");
      await delivered();
      expect(client.response(1).result).toBe("done");
    };
    await use(await withProxies(Promise.resolve(linkedTransports()[0]), [proxy]));
    const closed: string[] = [];
    const source = withProxies(
      { open: async () => linkedTransports()[0] as Transport, close: async () => void closed.push("closed") },
      [proxy],
    );
    await use(await source.open());
    await use(await source.open());
    await source.close();
    expect(closed).toEqual(["closed"]);
  });

  test("state per connection, in the order of the list", async () => {
    const log: string[] = [];
    const counting = (name: string) =>
      createProxy(() => {
        const calls: number[] = [];
        return {
          info: { name, version: "1" },
          fromClient: {
            _note: (_, next) => {
              log.push(`${name}${calls.push(0)}`);
              return next();
            },
          },
        };
      });
    const proxies = [counting("a"), counting("b")];
    for (const beside of ["client", "agent"] as const) {
      const { client } = rawChain(proxies, { beside });
      client.notify("_note");
      client.notify("_note");
      await delivered();
    }
    expect(log).toEqual(["a1", "b1", "a2", "b2", "a1", "b1", "a2", "b2"]);
  });

  test("a served agent gets the other arguments of connect, and its result is returned", () => {
    const served = {
      connect: (transport: Transport, defaults?: { readonly name: string }) => [transport, defaults] as const,
    };
    const [transport, defaults] = withProxies(served, [createProxy({ info })]).connect(linkedTransports()[0], {
      name: "x",
    });
    expect(typeof transport.send).toBe("function");
    expect(defaults).toEqual({ name: "x" });
  });

  test("a proxy that is invalid for a connection closes the agent's transport", async () => {
    const invalid = createProxy(() => ({ info, fromClient: { "session/promt": () => {} } }) as never);
    const ends: RawPeer[] = [];
    const open = async (): Promise<Transport> => {
      const [left, right] = linkedTransports();
      ends.push(new RawPeer(right));
      return left;
    };
    const transport = await open();
    expect(() => withProxies(transport, [invalid])).toThrow('did you mean "session/prompt"');
    await expect(withProxies({ open, close: async () => {} }, [invalid]).open()).rejects.toThrow("session/promt");
    await expect(withProxies(open(), [invalid])).rejects.toThrow("session/promt");
    await delivered();
    expect(ends.map(({ end }) => end)).toEqual(["ended", "ended", "ended"]);
  });

  test("wrong arguments are errors before anything opens", () => {
    expect(() => withProxies(linkedTransports()[0], [{}] as never)).toThrow(/createProxy has returned/);
    expect(() => withProxies({} as never, [])).toThrow(/must be a transport/);
    expect(withProxies(linkedTransports()[0], [])).toBeDefined();
  });

  test("close twice is close once, and send after it does nothing", async () => {
    const [left] = linkedTransports();
    const transport = withProxies(left, [createProxy({ info })]);
    await Promise.all([transport.close(), transport.close()]);
    expect(transport.send({ jsonrpc: "2.0", method: "_a" } as Message)).toBe(0);
    expect(new ConnectionError("closed", "").code).toBe("closed");
  });
});
