import { type ConformanceReport, promptPresets } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { type EverythingOptions, memoryLogin } from "@acp-kit/everything-agent";
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
    initializeTimeoutMs: 10_000,
    requestTimeoutMs: limitMs,
    turnTimeoutMs: limitMs,
    lateResponseTimeoutMs: limitMs / 4,
    stopTimeoutMs: limitMs,
    quietMs: 15,
    exitGraceMs: 3_000,
    ...(only && { only }),
    skip: ["session/mcp-server"], // it starts processes; `processes.test.ts` has it
  });
}

/** What `@acp-kit/agent` does for its author, by the areas of the rules. */
const areas = "SESS LIST DEL PROMPT UPD MSG TOOL PERM PLAN MODE CFG CMD USAGE INFO ELICIT CANCEL".split(" ");
const passedIn = ({ requirements }: ConformanceReport): readonly string[] =>
  requirements.filter(({ status }) => status === "passed").map(({ id }) => id);

test("without a mutation, the agent behind the proxy breaks no rule, and rules of every area are checked", async () => {
  const report = await run();
  expect(report.faults.map(({ rules, finding }) => ({ rules, finding }))).toEqual([]);
  expect(report.verdict).toBe("conformant");
  const passed = new Set(passedIn(report).map((id) => id.split("-", 1)[0]));
  expect(areas.filter((area) => !passed.has(area))).toEqual([]);
});

test("V2-REQ-36: an agent on our packages breaks no rule of version 2, and every rule for agents is checked", async () => {
  const runIn2 = (options: EverythingOptions, only: readonly string[]): Promise<ConformanceReport> =>
    testAgent({
      protocol: 2,
      agent: everythingBehind(undefined, options),
      prompts: { ...promptPresets.everything, terminal: "/terminal" },
      jobs: 4,
      only,
    });
  const reports = [await runIn2({}, []), await runIn2({ login: memoryLogin() }, ["version-2/login", "V2-09"])];
  expect(reports.flatMap(({ faults }) => faults.map(({ finding }) => finding))).toEqual([]);
  expect(reports[0]?.made.versions).toEqual([2]);
  const passed = new Set(reports.flatMap(passedIn));
  const rules = reports[0]?.requirements.map(({ id }) => id);
  expect(rules?.filter((id) => !passed.has(id))).toEqual(["V2-32"]); // visible only in the client
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
