import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import type { Mutation } from "../../test/right-agent.js";
import { wrongAgents } from "../../test/wrong-agents.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import { agentScenarios } from "./agent-scenarios.js";
import { agentWatches } from "./agent-watches.js";
import { promptPresets } from "./prompt-purposes.js";

/** The agent of the tests, right or wrong, in this process. */
function run(mutation?: Mutation, only?: readonly string[], skip: readonly string[] = []): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    authMethod: "token",
    jobs: 8,
    confirm: false, // runs are the same in memory
    startMs: 10_000,
    answerMs: mutation ? 1_000 : 10_000,
    turnMs: mutation ? 1_000 : 10_000,
    graceMs: mutation ? 500 : 10_000,
    quietMs: 15,
    exitMs: mutation?.immortal ? 300 : 3_000,
    ...(only && { only }),
    skip,
  });
}

function failing({ scenarios }: ConformanceReport): readonly string[] {
  return scenarios.flatMap(({ id, verdict }) => (verdict.status === "failed" ? [id] : []));
}

test("an agent that keeps every rule passes everything, and comes to the point everywhere", async () => {
  const report = await run();
  const left = report.scenarios.filter(({ verdict }) => verdict.status !== "passed");
  expect(left.map(({ id, verdict }) => ({ id, verdict }))).toEqual([
    // It advertises every method.
    { id: "capabilities/other-methods", verdict: expect.objectContaining({ status: "skipped" }) },
  ]);
  expect(report.conformant).toBe(true);
});

test("every scenario and every watch has an agent that is wrong in just that", () => {
  const ids = [...agentScenarios, ...agentWatches].map(({ id }) => id);
  expect(wrongAgents.map(({ fails }) => fails).sort()).toEqual(ids.sort());
});

test.concurrent.for(wrongAgents)(
  "$fails notices, and nobody else",
  async ({ fails, also = [], areas, mutation }, { expect }) => {
    const [area = ""] = fails.split("/");
    const only = ["watch/", ...(areas ?? [area === "watch" ? "watch/" : `${area}/`]), fails];
    // The one that needs a process of its own is slow, and is run where it is meant.
    const skip = fails === "session/mcp-server" ? [] : ["session/mcp-server"];
    const found = failing(await run(mutation, only, skip));
    expect([...found].sort()).toEqual([...new Set([fails, ...also])].sort());
  },
);
