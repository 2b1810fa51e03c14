import { deferred } from "@acp-kit/jsonrpc/internal";
import { type AcpProxy, createProxy } from "@acp-kit/proxy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delivered, info, rawChain } from "../../test/raw-peer.js";

const prompt = { sessionId: "s", prompt: [] };
const permission = { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] };
const CANCEL = "$/cancel_request";

/** A proxy whose interceptors wait, before or after `next`, and end when their signal aborts. */
function waiting(place: "before" | "after", ended: string[] = []): AcpProxy {
  const intercept = async (message: { method: string; signal: AbortSignal }, next: () => unknown): Promise<never> => {
    const { method, signal } = message;
    const aborted = deferred();
    signal.addEventListener("abort", () => {
      ended.push(`${method}: ${signal.reason.name}`);
      aborted.reject(signal.reason);
    });
    if (place === "before") await aborted.promise;
    const result = await next();
    return result as never;
  };
  return createProxy({
    info,
    fromClient: { "session/prompt": intercept, _do: intercept },
    fromAgent: { "session/request_permission": intercept },
  });
}

describe("$/cancel_request", () => {
  test("proxy.cancel-request: a cancelled request without an interceptor is cancelled by its receiver", async () => {
    const { client, agent } = rawChain([createProxy({ info }), createProxy({ info })]);
    client.request(1, "_do");
    client.notify(CANCEL, { requestId: 1 });
    client.notify(CANCEL, { requestId: 99 });
    await delivered();
    expect(agent.of(CANCEL).map(({ params }) => params)).toEqual([{ requestId: 1 }, { requestId: 99 }]);
    agent.fail(1, { code: -32800, message: "cancelled" });
    await delivered();
    expect(client.response(1).error).toEqual({ code: -32800, message: "cancelled" });
  });

  test("proxy.cancel-request: an intercepted request that was not forwarded aborts its interceptor, and the receiver gets nothing", async () => {
    const ended: string[] = [];
    const { client, agent } = rawChain([createProxy({ info }), waiting("before", ended)]);
    client.request(1, "_do");
    for (let n = 0; n < 2; n += 1) client.notify(CANCEL, { requestId: 1 });
    await delivered();
    expect(client.response(1).error?.code).toBe(-32800);
    expect(ended).toEqual(["_do: RpcError"]);
    client.notify(CANCEL, { requestId: 1 });
    await delivered();
    expect(agent.received.filter(({ method }) => method !== CANCEL)).toEqual([]);
  });

  test("proxy.cancel-request: a forwarded request is cancelled once, and its response settles it", async () => {
    const { client, agent } = rawChain([waiting("after")]);
    client.request(1, "_do");
    for (let n = 0; n < 3; n += 1) client.notify(CANCEL, { requestId: 1 });
    await delivered();
    expect(agent.of(CANCEL)).toHaveLength(1);
    agent.respond(1, "done anyway");
    await delivered();
    expect(client.responses(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "done anyway" }]);
  });

  test("proxy.cancel-request: a request that waits for earlier messages is never forwarded", async () => {
    const gate = deferred();
    const proxy = createProxy({
      info,
      fromClient: {
        _slow: async (_, next) => {
          await gate.promise;
          return next();
        },
      },
    });
    const { client, agent } = rawChain([proxy]);
    client.notify("_slow", { sessionId: "s" });
    client.request(1, "session/prompt", prompt);
    client.notify(CANCEL, { requestId: 1 });
    await delivered();
    expect(client.response(1).error?.code).toBe(-32800);
    gate.resolve();
    await delivered();
    expect(agent.names).toEqual(["_slow"]);
  });

  test("proxy.cancel-request: the signal of a proxy's own request cancels it once, and its late response is dropped", async () => {
    const controller = new AbortController();
    const problems: unknown[] = [];
    const proxy = createProxy({
      info,
      fromClient: {
        _do: async ({ agent }) => {
          await agent.request("_own", {}, { signal: controller.signal }).catch((error) => problems.push(error));
          return "gave up";
        },
      },
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "_do");
    await delivered();
    const requestId = agent.idOf("_own");
    client.notify(CANCEL, { requestId });
    await delivered();
    expect(agent.of(CANCEL)).toEqual([]); // the client can't cancel it
    controller.abort("enough");
    await delivered();
    agent.respond(requestId, "late");
    await delivered();
    expect(agent.of(CANCEL).map(({ params }) => params)).toEqual([{ requestId }]);
    expect(problems).toEqual(["enough"]);
    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: "gave up" }]);
  });

  test("proxy.cancel-request: an interceptor that answers without waiting for the receiver cancels the forwarded request", async () => {
    const proxy = createProxy({
      info,
      fromClient: {
        _do: (_, next) => {
          void next();
          return "at once";
        },
      },
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "_do");
    await delivered();
    agent.respond(1, "too late");
    await delivered();
    expect(agent.names).toEqual(["_do", CANCEL]);
    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: "at once" }]);
    client.request(1, "_do"); // the id is free again
    await delivered();
    expect(agent.of("_do")).toHaveLength(2);
  });
});

describe("session/cancel", () => {
  test("proxy.cancel-turn: a held prompt ends as cancelled, and neither the prompt nor the cancellation reaches the agent", async () => {
    const ended: string[] = [];
    const { client, agent } = rawChain([createProxy({ info }), waiting("before", ended)]);
    client.request(1, "session/prompt", prompt);
    client.request(2, "session/prompt", prompt);
    client.notify("session/cancel", { sessionId: "s" });
    await delivered();
    expect(client.response(1).result).toEqual({ stopReason: "cancelled" });
    expect(client.response(2).result).toEqual({ stopReason: "cancelled" });
    expect(agent.received).toEqual([]);
    expect(ended).toEqual(["session/prompt: AbortError"]);
  });

  test("proxy.cancel-turn: a cancellation for the agent's turn overtakes held messages, and held permission requests are cancelled", async () => {
    const { client, agent } = rawChain([waiting("before"), createProxy({ info })]);
    client.notify("session/cancel", { sessionId: "s" });
    agent.request("p", "session/request_permission", permission);
    agent.request("q", "session/request_permission", { ...permission, sessionId: "other" });
    await delivered();
    client.notify("session/cancel", { sessionId: "s" });
    await delivered();
    expect(agent.response("p").result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(agent.responses("q")).toEqual([]);
    expect(agent.of("session/cancel")).toHaveLength(2);
    expect(client.received).toEqual([]);
  });

  test("proxy.cancel-turn: an interceptor that fails after the cancellation of a forwarded prompt ends it when the agent does", async () => {
    const proxy = createProxy({
      info,
      fromClient: {
        "session/prompt": async ({ signal }, next) => {
          const aborted = deferred<never>();
          signal.addEventListener("abort", () => aborted.reject(signal.reason));
          return await Promise.race([next(), aborted.promise]);
        },
      },
    });
    const { client, agent } = rawChain([proxy]);
    client.request(1, "session/prompt", prompt);
    client.notify("session/cancel", { sessionId: "s" });
    await delivered();
    expect(agent.names).toEqual(["session/prompt", "session/cancel"]);
    expect(client.received).toEqual([]);
    agent.respond(1, { stopReason: "cancelled" });
    await delivered();
    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: { stopReason: "cancelled" } }]);
    expect(agent.of(CANCEL)).toEqual([]);
  });

  test("proxy.cancel-turn: before, during and after a prompt and a permission request: one stop reason, and no turn starts later", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("prompt", "cancel", "open", "permission", "turn", "wait"), { maxLength: 20 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, length) => {
          const gates: (() => void)[] = [];
          const held = async (_: unknown, next: () => unknown): Promise<never> => {
            await new Promise<void>((resolve) => void gates.push(resolve));
            return (await next()) as never;
          };
          const proxies = Array.from({ length }, () =>
            createProxy({
              info,
              fromClient: { "session/prompt": held },
              fromAgent: { "session/request_permission": held },
            }),
          );
          const { client, agent } = rawChain(proxies);
          let prompts = 0;
          let permissions = 0;
          const running: unknown[] = [];
          const cancelled: number[] = [];
          agent.onMessage = ({ id, method }) => {
            if (method === "session/prompt") running.push(id);
            if (method !== "session/cancel") return;
            for (const each of running.splice(0)) agent.respond(each, { stopReason: "cancelled" });
          };
          client.onMessage = ({ id, method }) => {
            if (method === "session/request_permission") client.respond(id, { outcome: { outcome: "cancelled" } });
          };
          for (const each of steps) {
            if (each === "prompt") {
              prompts += 1;
              client.request(prompts, "session/prompt", prompt);
            } else if (each === "permission") {
              permissions += 1;
              agent.request(`p${permissions}`, "session/request_permission", permission);
            } else if (each === "cancel") {
              client.notify("session/cancel", { sessionId: "s" });
              for (let id = 1; id <= prompts; id += 1) if (client.responses(id).length === 0) cancelled.push(id);
            } else if (each === "open") gates.shift()?.();
            else if (each === "turn") {
              const id = running.shift();
              if (id !== undefined) agent.respond(id, { stopReason: "end_turn" });
            } else await delivered();
          }
          await delivered();
          const started = agent.of("session/prompt").map(({ id }) => id);
          const answered = new Set(client.received.filter(({ method }) => method === undefined).map(({ id }) => id));
          for (let round = 0; round < 12; round += 1) {
            for (const gate of gates.splice(0)) gate();
            await delivered();
          }
          const later = agent
            .of("session/prompt")
            .map(({ id }) => id)
            .slice(started.length);
          expect(later.filter((id) => answered.has(id))).toEqual([]);
          expect(later.filter((id) => cancelled.includes(id as number) && client.responses(id).length > 0)).toEqual([]);
          for (const id of running.splice(0)) agent.respond(id, { stopReason: "end_turn" });
          await delivered();
          for (let id = 1; id <= prompts; id += 1) expect(client.responses(id)).toHaveLength(1);
          for (let id = 1; id <= permissions; id += 1) expect(agent.responses(`p${id}`)).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
