import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import type { Mutation } from "../../test/right-agent.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import { promptPresets } from "./prompt-purposes.js";

function run(mutation: Mutation, only: readonly string[], limitMs = 400): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    only,
    startMs: 5 * limitMs,
    answerMs: limitMs,
    turnMs: limitMs,
    graceMs: limitMs / 4,
    stopMs: limitMs,
    quietMs: 15,
  });
}

test("finds ids of the wrong JSON type without waiting for the limit", async () => {
  const strings: Mutation = {
    write: (message) =>
      "method" in message || !("id" in message) ? undefined : [{ ...message, id: String(message.id) }],
  };
  const report = await run(strings, [], 600_000); // longer than the time limit of the test: one wait for it fails the test
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
