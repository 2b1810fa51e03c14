import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConformanceReport } from "@acp-kit/conformance";
import { testClient } from "@acp-kit/conformance/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientMutants } from "./client/client-mutants.js";
import { knownFates } from "./client/known-fates.js";
import { ourClient } from "./client/our-client.js";
import { contradictions, fateOf, rulesOf, Score, untestedRules } from "./score.js";
import type { MakeMutation } from "./wire/mutation.js";

let cwd = "";
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-our-client-")));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/**
 * The limits for a missing step, in milliseconds. If a busy machine exceeds the first limit, the second limit decides.
 */
const limits = [600, 4_000] as const;

function run(mutation?: MakeMutation, only?: readonly string[], stepTimeoutMs = 10_000): Promise<ConformanceReport> {
  return testClient({
    protocol: 1,
    client: ourClient({ cwd, permissionMs: mutation ? 300 : 1_500, ...(mutation && { mutation }) }),
    cancelStdin: "cancel",
    quietMs: 60,
    stepTimeoutMs,
    jobs: 4,
    confirm: false, // in memory, two runs do not differ
    // Our decoders follow the schema, which has a closed list of formats. The RFD leaves the list open.
    expectedFailures: ["ELICIT-10"],
    ...(only && { only }),
  });
}

test("without a mutation, the client behind the proxy breaks no rule", async () => {
  const report = await run();
  const of = (status: string) =>
    report.scenarios.filter(({ kind, verdict }) => kind === "scenario" && verdict.status === status);
  const unexpected = report.scenarios.filter(({ verdict, expected }) => verdict.status === "failed" && !expected);
  expect(unexpected.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  expect(report.conformant).toBe(true);
  expect(of("skipped").map(({ id }) => id)).toEqual([
    "opening/load", // it opens a new session
    "opening/resume",
    "messages/not-advertised", // it advertises everything
    "messages/elicitation-not-advertised",
    "elicitation/other-mode",
    "endings/later-turns",
  ]);
});

const score = new Score();

test.concurrent.for(clientMutants)("a client that $does breaks $rule", async (mutant, { expect }) => {
  const expected = knownFates[mutant.rule]?.fate ?? "named";
  const quick = await run(mutant.mutation, mutant.shows, limits[0]);
  const isClear = fateOf(mutant.rule, quick) === expected;
  const report = isClear ? quick : await run(mutant.mutation, mutant.shows, limits[1]);
  score.add(mutant, report);
  expect(fateOf(mutant.rule, report)).toBe(expected);
});

test("conformance.mutation-score-of-clients: a finding names each observable MUST that a mutant breaks, or a list states why not", () => {
  const rules = rulesOf("client");
  expect(contradictions(score, rules, knownFates, untestedRules("client"))).toEqual([]);
  const counts = score.counts(rules);
  console.log(`Mutants of clients: ${clientMutants.length}. Rules: ${JSON.stringify(counts)}.`);
  expect(counts).toEqual({ named: 76, "named as another": 1, survived: 3, "no mutant": 6 });
});
