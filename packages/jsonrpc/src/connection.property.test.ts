import fc from "fast-check";
import { expect, it } from "vitest";
import { bySession, manual } from "../test/connect.js";
import { anyJson } from "../test/large-json.js";
import { scheduledTransports } from "../test/scheduled-transports.js";
import { type Gate, gate, turn } from "../test/settle.js";
import { Connection } from "./index.js";
import { CANCEL_REQUEST } from "./internal.js";

const lane = fc.constantFrom("a", "b", "c", undefined);
const which = fc.nat({ max: 1_000 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("notification" as const), lane, slow: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("request" as const), lane, slow: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const), lane, always: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("answer", "fail" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("stray response", "broken response", "noise" as const), which }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cancel theirs", "cancel ours" as const), which }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("finish" as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("turn" as const) }) },
);
const ending = fc.constantFrom("close", "drain", "peer ends", "fails" as const);

/** Runs steps against one connection and records what the properties check. */
async function play(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[], end: string) {
  const { connection, transport, diagnostics } = manual({
    orderBy: bySession,
    cancelTimeoutMs: 1,
    drainTimeoutMs: 60_000,
  });
  const gates: Gate[] = [];
  /** Per lane, the numbers of the messages that arrived, started and finished. */
  const arrived = new Map<string, number[]>();
  const started = new Map<string, number[]>();
  const finished = new Set<number>();
  const asked: { controller: AbortController; settled: number; before: number[] | undefined }[] = [];
  const violations: string[] = [];
  const ids: number[] = [];
  let next = 0;
  const noteIn = (map: Map<string, number[]>, key: string | undefined, n: number): void => {
    if (key !== undefined) map.set(key, [...(map.get(key) ?? []), n]);
  };
  const handle = (params: unknown): Promise<void> | undefined => {
    const { sessionId, n, slow } = params as { sessionId?: string; n: number; slow: boolean };
    noteIn(started, sessionId, n);
    if (!slow) {
      finished.add(n);
      return undefined;
    }
    const until = gate();
    gates.push(until);
    return until.promise.then(() => void finished.add(n));
  };
  connection.onNotification("notification", handle);
  connection.onRequest("request", handle);
  connection.listen();

  for (const it of steps) {
    switch (it.do) {
      case "notification":
      case "request": {
        next += 1;
        const params = { sessionId: it.lane, n: next, slow: it.slow };
        noteIn(arrived, it.lane, next);
        if (it.do === "request") ids.push(next);
        transport.deliver({ method: it.do, params, ...(it.do === "request" && { id: next }) });
        break;
      }
      case "ask": {
        const controller = new AbortController();
        const { lane, always } = it;
        const ask = { controller, settled: 0, before: undefined as number[] | undefined };
        asked.push(ask);
        const settle = (answered: boolean) => (): void => {
          ask.settled += 1;
          if (answered && always) {
            const running = (ask.before ?? []).filter((n) => !finished.has(n));
            if (running.length > 0) violations.push(`a response in lane ${lane} settled before ${running}`);
          }
        };
        const options = { signal: controller.signal, alwaysOrdered: always };
        connection.request("ask", { sessionId: lane }, options).then(settle(true), settle(false));
        break;
      }
      case "answer":
      case "fail": {
        const id = 1 + (it.which % Math.max(asked.length, 1));
        const ask = asked[id - 1];
        const request = transport.sent.find((message) => message.id === id && "method" in message);
        const key = bySession("", request?.params);
        if (ask !== undefined && key !== undefined)
          ask.before ??= (arrived.get(key) ?? []).filter((n) => !ids.includes(n));
        transport.deliver(it.do === "answer" ? { id, result: id } : { id, error: { code: id, message: "m" } });
        break;
      }
      case "stray response":
        transport.deliver({ id: `${it.which}`, result: 1 });
        break;
      case "broken response":
        transport.deliver({ id: 10_000 + it.which });
        break;
      case "noise":
        transport.deliverValue(it.which % 2 === 0 ? [it.which] : it.which);
        break;
      case "cancel theirs":
        transport.deliver({ method: CANCEL_REQUEST, params: { requestId: it.which % (next + 1) } });
        break;
      case "cancel ours":
        asked[it.which % Math.max(asked.length, 1)]?.controller.abort(new Error("enough"));
        break;
      case "finish":
        gates.splice(it.which % Math.max(gates.length, 1), 1)[0]?.open();
        break;
      case "turn":
        await turn();
        break;
    }
  }
  const drain = async (): Promise<void> => {
    do {
      for (const open of gates.splice(0)) open.open();
      await turn(); // lanes continue, and may start handlers that wait
    } while (gates.length > 0);
  };
  if (end !== "close") void drain();
  if (end === "peer ends") transport.end();
  else if (end === "fails") transport.fail(new Error("cable cut"));
  else void connection.close(end === "drain" ? { drainTimeoutMs: 60_000 } : {});
  await connection.closed;
  await drain();
  await turn();
  return { connection, transport, diagnostics, asked, arrived, started, ids, violations };
}

it("any interleaving settles each request exactly once, sends each at most one response and starts handlers in wire order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), ending, async (steps, end) => {
      const { transport, asked, arrived, started, ids, violations, diagnostics } = await play(steps, end);
      expect(asked.map(({ settled }) => settled)).toEqual(asked.map(() => 1));
      expect(violations).toEqual([]);
      for (const id of ids) {
        const answers = transport.responses.filter((answer) => answer.id === id).length;
        expect(answers).toBeLessThanOrEqual(1);
        if (end === "drain" || end === "peer ends") expect(answers).toBe(1);
      }
      for (const [key, numbers] of started) {
        const order = arrived.get(key) ?? [];
        expect(numbers).toEqual(order.filter((n) => numbers.includes(n)));
        // All messages are handled except requests that were cancelled first and messages left when the connection
        // closed.
        const left = order.filter((n) => !numbers.includes(n) && !ids.includes(n));
        if (end === "peer ends" || end === "fails") expect(left).toEqual([]);
      }
      expect(diagnostics.filter(({ code }) => code === "handler_failed" || code === "hook_failed")).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("whatever the timing of two peers, a dialogue has one outcome", async () => {
  const prompts = fc.array(
    fc.record({ sessionId: fc.constantFrom("a", "b"), updates: fc.nat({ max: 3 }), asks: fc.nat({ max: 2 }) }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), prompts, fc.boolean(), async (scheduler, prompts, closes) => {
      const [left, right] = scheduledTransports(scheduler);
      const client = new Connection(left, { orderBy: bySession });
      const agent = new Connection(right, { orderBy: bySession });
      const seen = prompts.map(() => [] as number[]);
      client.onNotification("update", async (params) => {
        const { turn, i } = params as { turn: number; i: number };
        await scheduler.schedule(Promise.resolve(), `update ${turn}.${i}`);
        seen[turn]?.push(i);
      });
      client.onRequest("read", async (params) => {
        await scheduler.schedule(Promise.resolve(), "read");
        return params;
      });
      agent.onRequest("prompt", async (params) => {
        const { sessionId, turn, updates, asks } = params as (typeof prompts)[number] & { turn: number };
        for (let i = 0; i < updates; i += 1) {
          void agent.notify("update", { sessionId, turn, i });
          if (i % 2 === 0) await scheduler.schedule(Promise.resolve(), "working");
        }
        const answers = Array.from({ length: asks }, (_, i) => agent.request("read", { sessionId, i }));
        return { turn, answers: await Promise.all(answers) };
      });
      client.listen();
      agent.listen();
      const atRejection = new Map<number, number[]>();
      const results = prompts.map(async (prompt, turn) => {
        const params = { ...prompt, turn };
        const result = await client.request("prompt", params, { alwaysOrdered: true }).catch((error: unknown) => {
          atRejection.set(turn, [...(seen[turn] ?? [])]);
          throw error;
        });
        expect(seen[turn]).toEqual(Array.from({ length: prompt.updates }, (_, i) => i));
        return result;
      });
      const all = Promise.allSettled(results);
      if (closes) {
        await scheduler.waitNext(1);
        void agent.close();
        await scheduler.waitFor(all);
        for (const outcome of await all) {
          if (outcome.status === "rejected")
            expect(outcome.reason).toMatchObject({ name: "ConnectionError", code: "peer_closed" });
        }
      } else {
        await scheduler.waitFor(all);
        expect(await all).toEqual(
          prompts.map(({ sessionId, asks }, turn) => ({
            status: "fulfilled",
            value: { turn, answers: Array.from({ length: asks }, (_, i) => ({ sessionId, i })) },
          })),
        );
      }
      await scheduler.waitAll();
      const ended = Promise.all([client.close(), agent.close()]);
      await scheduler.waitFor(ended);
      for (const [turn, updates] of atRejection) expect(seen[turn]).toEqual(updates);
    }),
    { numRuns: 200 },
  );
});

it("any JSON value leaves the connection alive, and reaches a handler only as what it is", async () => {
  const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "error");
  const value = fc.oneof(
    anyJson,
    fc.dictionary(member, fc.oneof(anyJson, fc.constantFrom("2.0", "request", "notification", CANCEL_REQUEST, 1, "1"))),
    fc.record(
      {
        jsonrpc: fc.constant("2.0"),
        id: fc.oneof(anyJson, fc.integer()),
        method: fc.constantFrom("request", "notification"),
        params: anyJson,
        result: anyJson,
      },
      { requiredKeys: ["jsonrpc"] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 20 }), async (values) => {
      const { connection, transport } = manual();
      let current: unknown;
      const judge = (kind: string, params: unknown): void => {
        const message = current as Record<string, unknown>;
        expect(message).toMatchObject({ jsonrpc: "2.0", method: kind });
        expect("id" in message).toBe(kind === "request");
        expect(params).toBe(message.params);
      };
      connection.onRequest("request", (params) => judge("request", params));
      connection.onNotification("notification", (params) => judge("notification", params));
      connection.listen();
      const ours = connection.request("ours");
      for (const value of values) {
        current = value;
        const { length } = transport.sent;
        transport.deliverValue(value);
        const answers = transport.sent.slice(length);
        expect(answers.length).toBeLessThanOrEqual(1);
        for (const answer of answers) {
          expect(answer.jsonrpc).toBe("2.0");
          expect("result" in answer).not.toBe("error" in answer);
          const { id, method } = (value ?? {}) as Record<string, unknown>;
          // `-0` is serialized as `0`.
          if ("result" in answer) expect(answer.id === id, `${answer.id} answers ${id}`).toBe(true);
          if (method !== undefined && typeof method === "string") expect(id).not.toBe(undefined);
        }
      }
      current = { jsonrpc: "2.0", id: "fence", method: "request" };
      transport.deliverValue(current);
      expect(transport.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "fence", result: null });
      transport.deliver({ id: 1, result: "end" });
      await ours.catch(() => {}); // some value may have been a valid response
      expect(connection.state).toBe("open");
    }),
    { numRuns: 1_000 },
  );
});

it("RPC-04 requests with ids of any kind, open at once, each get a response with their own id", async () => {
  const id = fc.oneof(
    fc.string(),
    fc.integer({ min: 1_000, max: 20_000 }).map((length) => "i".repeat(length)),
    fc.maxSafeInteger(),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -3, max: 3 }).map(String),
    fc.constant(null),
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id, { minLength: 1 }), fc.nat(), anyJson, async (ids, seed, payload) => {
      const { connection, transport } = manual();
      const open: { id: unknown; answer: Gate<unknown> }[] = [];
      connection.onRequest("m", (_, context) => {
        const answer = gate<unknown>();
        open.push({ id: context.id, answer });
        return answer.promise;
      });
      connection.listen();
      transport.deliver(...ids.map((id) => ({ id, method: "m" })));
      while (open.length > 0) {
        const [next] = open.splice(seed % open.length, 1);
        next?.answer.open({ of: next.id, payload });
      }
      await turn();
      expect(transport.sent).toHaveLength(ids.length);
      const text = JSON.stringify(payload);
      for (const { id, result } of transport.sent) {
        expect((result as { of: unknown }).of).toBe(id);
        expect(JSON.stringify((result as { payload: unknown }).payload) === text).toBe(true);
      }
      expect(new Set(transport.sent.map(({ id }) => id))).toEqual(new Set(ids));
    }),
    { numRuns: 200 },
  );
});
