import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import { legalAgents } from "../../test/legal-agents.js";
import type { Mutation } from "../../test/right-agent.js";
import { mutants, wrongAgents } from "../../test/wrong-agents.js";
import { weighs } from "../heaviest-tier.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import { requirements } from "../requirements/requirements.js";
import { tierOf } from "../requirements/tier.js";
import { agentScenarios } from "./agent-scenarios.js";
import { agentWatches } from "./agent-watches.js";
import { notTestableForAgents } from "./not-testable.js";
import { promptPresets } from "./prompt-purposes.js";

/** The rules that some wrong agent breaks, and a finding names. */
const killed = new Set<string>();

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

test("an agent that keeps every rule passes everything, and no check lacks input", async () => {
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
  "$fails notices, and no other check does",
  async ({ fails, also = [], areas, mutation }, { expect }) => {
    const [area = ""] = fails.split("/");
    const only = ["watch/", ...(areas ?? [area === "watch" ? "watch/" : `${area}/`]), fails];
    // The one that needs a process of its own is slow, and is run where it is meant.
    const skip = fails === "session/mcp-server" ? [] : ["session/mcp-server"];
    const report = await run(mutation, only, skip);
    for (const { id, status } of report.requirements) if (status === "failed") killed.add(id);
    const found = failing(report);
    expect([...found].sort()).toEqual([...new Set([fails, ...also])].sort());
  },
);

test.concurrent.for(mutants)("an agent that $does breaks $rule", async ({ rule, shows, mutation }, { expect }) => {
  const report = await run(mutation, shows);
  const broken = report.faults.filter(({ weight }) => weighs(weight)).flatMap(({ rules }) => rules);
  expect(broken).toContain(rule);
  expect(report.verdict).toBe("not conformant");
  killed.add(rule);
});

test.for([
  ["PROMPT-09", "permission/rejected"],
  ["PLAN-04", "tour/plan"],
] as const)("what %s leaves open is reported as advice", async ([rule, scenario]) => {
  const { mutation } = legalAgents.find(({ habit }) => habit.includes(rule)) ?? {};
  const report = await run(mutation, [scenario, "watch/whole-plans"]);
  expect(report.requirements.find(({ id }) => id === rule)).toMatchObject({ status: "failed" });
  expect(report.verdict).toBe("conformant");
});

test("conformance.each-rule-has-a-mutant: every rule that weighs is broken by a wrong agent and named, or survives for a written reason", () => {
  const heavy = requirements.filter(
    (each) => each.binds !== "client" && each.observability !== "review" && weighs(tierOf(each)),
  );
  const survivors = heavy.map(({ id }) => id).filter((id) => !killed.has(id));
  const unexplained = survivors.filter((id) => notTestableForAgents[id] === undefined && survival[id] === undefined);
  expect(unexplained).toEqual([]);
  expect(Object.keys(survival).filter((id) => killed.has(id))).toEqual([]);
  console.log(`Rules that weigh: ${heavy.length}, named by a wrong agent: ${heavy.length - survivors.length}.`);
});

/** Rules that weigh and have a scenario, and that no wrong agent is named for. */
const survival: Readonly<Record<string, string>> = {
  "INIT-10": "A method of another version than the agreed one is named under RPC-20.",
  "INIT-12": "Whatever is used without its capability is named under the rule of that capability, CAP-13 to CAP-21.",
  "AUTH-03": "The same as CAP-19, which is named.",
  "SESS-08": "A cwd that is not used as such is named under SESS-09.",
  "CFG-12": "The same as CAP-18, which is named.",
  "NOTICE-01": "The same as CAP-20, which is named.",
  "COMPACT-01": "The same as CAP-21, which is named.",
  "FS-01": "The same as CAP-13 and CAP-14, which are named.",
  "FS-02": "The same as CAP-13 and CAP-14, which are named.",
  "TERM-01": "The same as CAP-15, which is named.",
  "ELICIT-01": "The same as CAP-16 and CAP-17, which are named.",
  "ELICIT-26": "Allowed questions show only as the absence of ELICIT-25.",
};
