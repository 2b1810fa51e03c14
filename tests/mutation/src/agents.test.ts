import { type ConformanceReport, notTestableForAgents, promptPresets } from "@acp-kit/conformance";
import { testAgent } from "@acp-kit/conformance/node";
import { expect, test } from "vitest";
import { connectionMutants } from "./agent/connection-mutants.js";
import { everythingBehind } from "./agent/everything.js";
import { serviceMutants } from "./agent/service-mutants.js";
import { sessionMutants } from "./agent/session-mutants.js";
import { turnMutants } from "./agent/turn-mutants.js";
import { type Fate, fateOf, rulesOf } from "./score.js";
import type { MakeMutation } from "./wire/mutation.js";

const mutants = [...connectionMutants, ...sessionMutants, ...turnMutants, ...serviceMutants];

function run(mutation?: MakeMutation, only?: readonly string[]): Promise<ConformanceReport> {
  return testAgent({
    agent: everythingBehind(mutation),
    prompts: promptPresets.everything,
    jobs: 4,
    confirm: false, // runs are the same in memory
    startMs: 10_000,
    answerMs: mutation ? 1_000 : 10_000,
    turnMs: mutation ? 1_000 : 10_000,
    graceMs: mutation ? 500 : 10_000,
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

const fates = new Map<string, Fate[]>();
test.concurrent.for(mutants)("an agent that $does breaks $rule", async (mutant, { expect }) => {
  const fate = fateOf(mutant, await run(mutant.mutation, mutant.shows));
  console.log(mutant.rule, mutant.does, JSON.stringify(fate));
  fates.set(mutant.rule, [...(fates.get(mutant.rule) ?? []), fate]);
  expect(fate.kind).toBe("named");
});

test("score", () => {
  console.log(rulesOf("agent").filter((id) => !fates.has(id) && !notTestableForAgents[id]));
});
