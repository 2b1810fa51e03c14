import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import { endsByItself } from "../../test/legal-agents.js";
import type { Mutation } from "../../test/right-agent.js";
import { weighs } from "../heaviest-tier.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import { promptPresets } from "./prompt-purposes.js";

/** Runs the scenarios that stop a turn, or send a request while a turn is running. */
function run(mutation: Mutation, only: readonly string[]): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    only,
    jobs: 16,
    confirm: false, // one false accusation is enough to fail the test
    initializeTimeoutMs: 5_000,
    requestTimeoutMs: 5_000,
    turnTimeoutMs: 5_000,
    lateResponseTimeoutMs: 1_000,
    quietMs: 15,
  });
}

const ends = {
  end_turn: { result: { stopReason: "end_turn" } },
  "an error": { error: { code: -32603, message: "The model is overloaded" } },
} as const;
const moments = ["at its stop", 0, 1, 2, 3, 5, 8, 13] as const;
const cases = Object.keys(ends).flatMap((end) => moments.map((moment) => ({ end: end as keyof typeof ends, moment })));

test.concurrent.for(cases)(
  "conformance.accuses-no-legal-peer: a turn that ends by itself with $end ($moment) breaks no rule when the kit stops it",
  { timeout: 60_000 },
  async ({ end, moment }, { expect }) => {
    const stopping = ["cancel/", "session/close-running", "modes/while-a-turn-runs", "options/while-a-turn-runs"];
    const report = await run(endsByItself(ends[end], moment), stopping);
    const accused = report.faults.filter(({ weight }) => weighs(weight));
    expect(accused.map(({ rules, finding }) => ({ rules, finding }))).toEqual([]);
    const closed = report.scenarios.find(({ id }) => id === "session/close-running");
    expect(closed?.verdict).toEqual({ status: "passed" });
  },
);

test("SESS-27 is broken if a turn that waits for a permission ends with end_turn when its session is closed", async () => {
  const ignores: Mutation = {
    write: (message) =>
      message.result?.stopReason === "cancelled" ? [{ ...message, result: { stopReason: "end_turn" } }] : undefined,
  };
  const report = await run(ignores, ["session/close-running"]);
  expect(report.faults.map(({ rules }) => rules)).toEqual([["SESS-27"]]);
  expect(report.faults[0]?.finding.sent).toContain("session/request_permission");
});

test("SESS-27 is inconclusive if session/close also fails without a running turn", async () => {
  const refuses: Mutation = {
    receive(message, agent) {
      if (message.method !== "session/close") return false;
      agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "The disk is full" } });
      return true;
    },
  };
  const report = await run(refuses, ["session/close-running"]);
  expect(report.scenarios[0]?.verdict).toMatchObject({ status: "inconclusive" });
});
