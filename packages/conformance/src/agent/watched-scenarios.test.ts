import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import type { Mutation } from "../../test/right-agent.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import { agentWatches } from "./agent-checks.js";
import { promptPresets } from "./prompt-purposes.js";

function run(only: readonly string[], mutation?: Mutation): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    authMethod: "token",
    only,
    jobs: 8,
    confirm: false,
    quietMs: 15,
  });
}

test("each watch alone sees the messages that it checks", { timeout: 60_000 }, async () => {
  const blind: string[] = [];
  for (const { id } of agentWatches) {
    const { scenarios } = await run([id]);
    if (scenarios.find((each) => each.id === id)?.verdict.status !== "passed") blind.push(id);
  }
  expect(blind).toEqual([]);
});

test("conformance.doubt-is-inconclusive: a rule about which no message was seen is inconclusive, never passed", async () => {
  const hasNoPlans: Mutation = {
    write: (message) => (message.params?.update?.sessionUpdate === "plan" ? [] : undefined),
  };
  const { verdict, reasons, requirements } = await run(["PLAN-04"], hasNoPlans);
  expect(verdict).toBe("inconclusive");
  expect(reasons).toEqual(["PLAN-04 was not checked: no scenario produced a message that this watch checks."]);
  expect(requirements.find(({ id }) => id === "PLAN-04")?.status).toBe("skipped");
});
