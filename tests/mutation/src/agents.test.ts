import { type ConformanceReport, promptPresets } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { expect, test } from "vitest";
import { agentMutants } from "./agent/agent-mutants.js";
import { everythingBehind } from "./agent/everything.js";
import { knownFates } from "./agent/known-fates.js";
import { contradictions, fateOf, rulesOf, Score, untestedRules } from "./score.js";
import type { MakeMutation } from "./wire/mutation.js";

/** Rules whose mutants need a process. */
const inProcesses = { "MCP-02": "`processes.test.ts`" };
const inMemory = agentMutants.filter(({ rule }) => !Object.hasOwn(inProcesses, rule));

/**
 * The limits for a missing response, in milliseconds. If a busy machine exceeds the first limit, the second limit
 * decides.
 */
const limits = [600, 5_000] as const;

function run(mutation?: MakeMutation, only?: readonly string[], limitMs = 10_000): Promise<ConformanceReport> {
  return testAgent({
    protocol: 1,
    agent: everythingBehind(mutation),
    prompts: promptPresets.everything,
    jobs: 4,
    confirm: false, // in memory, two runs do not differ
    startMs: 10_000,
    answerMs: limitMs,
    turnMs: limitMs,
    graceMs: limitMs / 4,
    stopMs: limitMs,
    quietMs: 15,
    exitMs: 3_000,
    ...(only && { only }),
    skip: ["session/mcp-server"], // it starts processes; `processes.test.ts` has it
  });
}

test("without a mutation, the agent behind the proxy breaks no rule", async () => {
  const report = await run();
  expect(report.faults.map(({ rules, finding }) => ({ rules, finding }))).toEqual([]);
  expect(report.verdict).toBe("conformant");
});

const score = new Score();

test.concurrent.for(inMemory)("an agent that $does breaks $rule", async (mutant, { expect }) => {
  const expected = knownFates[mutant.rule]?.fate ?? "named";
  const quick = await run(mutant.mutation, mutant.shows, limits[0]);
  const isClear = fateOf(mutant.rule, quick) === expected;
  const report = isClear ? quick : await run(mutant.mutation, mutant.shows, limits[1]);
  score.add(mutant, report);
  expect(fateOf(mutant.rule, report)).toBe(expected);
});

test("findings name the rules that earlier versions of the kit missed or reported only as advice", () => {
  const missed = [
    "UPD-01",
    "ELICIT-23",
    "ELICIT-24",
    "ELICIT-25",
    "CFG-15",
    "CAP-13",
    "PLAN-04",
    "PERM-07",
    "RPC-04",
    "PROMPT-09",
    "TOOL-02",
  ];
  expect(missed.filter((id) => score.fateOf(id) !== "named")).toEqual([]);
});

test("conformance.mutation-score-of-agents: a finding names each observable MUST that a mutant breaks, or a list states why not", () => {
  const rules = rulesOf("agent");
  expect(contradictions(score, rules, knownFates, { ...untestedRules("agent"), ...inProcesses })).toEqual([]);
  const counts = score.counts(rules);
  console.log(`Mutants of agents: ${inMemory.length}. Rules: ${JSON.stringify(counts)}.`);
  expect(counts).toEqual({ named: 96, "named as another": 0, survived: 2, "no mutant": 13 });
});
