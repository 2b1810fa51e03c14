import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import type { Message, Mutation } from "../../test/right-agent.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import type { Verdict } from "../verdict.js";
import { promptPresets } from "./prompt-purposes.js";

function run(mutation: Mutation, only: readonly string[], limitMs = 400): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    only,
    initializeTimeoutMs: 5 * limitMs,
    requestTimeoutMs: limitMs,
    turnTimeoutMs: limitMs,
    lateResponseTimeoutMs: limitMs / 4,
    stopTimeoutMs: limitMs,
    quietMs: 15,
  });
}

test("finds ids of the wrong JSON type without waiting for the limit", async () => {
  const strings: Mutation = {
    write: (message) =>
      "method" in message || !("id" in message) ? undefined : [{ ...message, id: String(message.id) }],
  };
  // Longer than the time limit of the test: one wait for it fails the test
  const report = await run(strings, [], 600_000);
  expect(report.verdict).toBe("not conformant");
  expect(report.faults[0]).toMatchObject({ rules: ["RPC-04"], finding: { received: 'a response with the id "1"' } });
  expect(report.counts.faults).toBe(1);
});

test("an overlapping prompt without a response breaks RPC-04", async () => {
  const loses: Mutation = {
    receive: (message, agent) =>
      message.method === "session/prompt" && agent.sessions.get(message.params.sessionId)?.stop !== undefined,
  };
  const report = await run(loses, ["prompt/overlapping"]);
  expect(report.verdict).toBe("not conformant");
  expect(report.faults[0]?.rules).toContain("RPC-04");
});

/**
 * Streams text in the turns that `isEndless` selects until they are cancelled. A cancel ends only the newest turn of
 * its session.
 */
function streams(isEndless: (message: Message) => boolean): Mutation {
  const turns = new Map<unknown, (() => void)[]>();
  return {
    receive(message, agent) {
      const { sessionId } = message.params ?? {};
      if (message.method === "session/cancel") turns.get(sessionId)?.pop()?.();
      if (message.method !== "session/prompt" || !isEndless(message)) return false;
      let isRunning = true;
      const content = { type: "text", text: "and " };
      const update = { sessionUpdate: "agent_message_chunk", content };
      const stream = (): void => {
        if (!isRunning || agent.ended) return;
        agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
        setTimeout(stream, 20);
      };
      const cancel = (): void => {
        isRunning = false;
        agent.send({ jsonrpc: "2.0", id: message.id, result: { stopReason: "cancelled" } });
      };
      turns.set(sessionId, [...(turns.get(sessionId) ?? []), cancel]);
      stream();
      return true;
    },
  };
}

test("a turn that streams on after a cancel breaks CANCEL-06, not RPC-04", async () => {
  const { faults } = await run(
    streams(() => true),
    ["prompt/overlapping"],
  );
  expect(faults.map(({ rules }) => rules)).toEqual([["CANCEL-06"]]);
  expect(faults[0]?.finding.received).toMatch(/^no response within .*, while the turn sends updates$/);
});

test("conformance.slow-breaks-no-rule: a turn that still streams has not ended, however fast other turns were", async () => {
  let prompts = 0;
  const report = await run(
    streams(() => ++prompts > 2), // one turn before the scenario, and the first of the scenario, end at once
    ["prompt/two-turns"],
  );
  expect(report.faults).toEqual([]);
  expect(report.scenarios[0]?.verdict).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining("too slow for these limits: session/prompt"),
  });
});

test("conformance.slow-breaks-no-rule: an agent whose turns never end is inconclusive, because it may be slow", async () => {
  const silent: Mutation = { receive: (message) => message.method === "session/prompt" };
  const report = await run(silent, ["prompt/text", "prompt/two-turns"]);
  expect(report.verdict).toBe("inconclusive");
  expect(report.reasons[0]).toMatch(
    /^Too slow for these limits: session\/prompt got no response within .*--turn-timeout/,
  );
});

// The scenario cancels two turns before it fails.
test("a failure in only one of two runs is flaky, and the run is inconclusive", async () => {
  let cancels = 0;
  const once: Mutation = {
    write: (message) =>
      message.result?.stopReason === "cancelled" && ++cancels <= 2
        ? [{ ...message, result: { stopReason: "end_turn" } }]
        : undefined,
  };
  const report = await run(once, ["cancel/running-turn"]);
  expect(report.verdict).toBe("inconclusive");
  expect(report.scenarios[0]?.verdict).toMatchObject({ status: "flaky", findings: [{ requirement: "CANCEL-06" }] });
});

/**
 * Sends an odd request of the agent in each turn. Returns the last response of the kit's client, and the verdict of the
 * scenario.
 */
async function replyTo(
  method: string,
  params: object,
): Promise<{ reply: Message | undefined; verdict: Verdict | undefined }> {
  let reply: Message | undefined;
  let prompt: Message | undefined;
  const requests: Mutation = {
    receive(message, agent) {
      if (message.id === "odd") {
        reply = message;
        if (prompt) agent.message(prompt);
        return true;
      }
      if (message.method !== "session/prompt" || message === prompt) return false;
      prompt = message;
      const { sessionId } = message.params;
      const path = agent.sessions.get(sessionId)?.cwd;
      agent.send({ jsonrpc: "2.0", id: "odd", method, params: { sessionId, path, ...params } });
      return true;
    },
  };
  const report = await run(requests, ["prompt/text"], 5_000);
  return { reply, verdict: report.scenarios[0]?.verdict };
}

test("a request that the client of the kit can't carry out gets an error, and the run goes on", async () => {
  const { reply, verdict } = await replyTo("fs/write_text_file", { content: "The path is that of a directory." });
  expect(reply?.error).toMatchObject({ code: -32_603, message: expect.stringContaining("EISDIR") });
  expect(verdict).toEqual({ status: "passed" });
});

test("a form with a text field of a terabyte gets a response of limited size", async () => {
  const properties = { name: { type: "string", minLength: 1e12 } };
  const { reply, verdict } = await replyTo("elicitation/create", {
    mode: "form",
    message: "What is your name?",
    requestedSchema: { type: "object", properties },
  });
  expect(reply?.result).toMatchObject({ action: "accept", content: { name: expect.any(String) } });
  expect(verdict).toEqual({ status: "passed" });
});
