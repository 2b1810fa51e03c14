import { expect, test } from "vitest";
import { startRightAgent } from "../../test/in-process.js";
import { legalAgents } from "../../test/legal-agents.js";
import { reproDefects } from "../../test/repro-defects.js";
import type { Message, Mutation } from "../../test/right-agent.js";
import { mutants, wrongAgents } from "../../test/wrong-agents.js";
import { weighs } from "../heaviest-tier.js";
import { testAgent } from "../node/test-agent.js";
import type { ConformanceReport } from "../report/report.js";
import type { Requirement } from "../requirements/requirement.js";
import { requirements } from "../requirements/requirements.js";
import { tierOf } from "../requirements/tier.js";
import { agentScenarios, agentWatches } from "./agent-checks.js";
import { promptPresets } from "./prompt-purposes.js";

/** The rules that a finding about a wrong agent names. */
const killed = new Set<string>();

/** The rules whose faults have a script that reproduces them without the kit. */
const shown = new Set<string>();

/**
 * The limits for a missing response, in milliseconds. If a busy machine exceeds the short limit, the long limit
 * decides.
 */
const limits = { short: 400, long: 5_000 } as const;

/** Tests the agent of the tests, correct or with a mutation, in this process. */
function run(
  mutation?: Mutation,
  only?: readonly string[],
  { skip = [], limitMs = 2 * limits.long }: { readonly skip?: readonly string[]; readonly limitMs?: number } = {},
): Promise<ConformanceReport> {
  const store = new Map();
  return testAgent({
    agent: () => startRightAgent(store, mutation),
    prompts: promptPresets.everything,
    authMethod: "token",
    jobs: 8,
    confirm: false, // in memory, two runs do not differ
    initializeTimeoutMs: 10_000,
    requestTimeoutMs: limitMs,
    turnTimeoutMs: limitMs,
    lateResponseTimeoutMs: limitMs / 2,
    stopTimeoutMs: limitMs,
    quietMs: 15,
    exitGraceMs: mutation?.immortal ? 300 : 3_000,
    ...(only && { only }),
    skip,
  });
}

/** Tests a wrong agent with the short limits, and with the long ones if the report is not the expected one. */
async function judge(
  isExpected: (report: ConformanceReport) => boolean,
  mutation: Mutation,
  only: readonly string[],
  skip: readonly string[] = [],
): Promise<ConformanceReport> {
  const report = await run(mutation, only, { skip, limitMs: limits.short });
  return isExpected(report) ? report : run(mutation, only, { skip, limitMs: limits.long });
}

function failing({ scenarios }: ConformanceReport): readonly string[] {
  return scenarios.flatMap(({ id, verdict }) => (verdict.status === "failed" ? [id] : []));
}

test("an agent that keeps every rule passes every check", async () => {
  const report = await run();
  const left = report.scenarios.filter(({ verdict }) => verdict.status !== "passed");
  expect(left.map(({ id, verdict }) => ({ id, verdict }))).toEqual([
    // It advertises every method.
    { id: "capabilities/other-methods", verdict: expect.objectContaining({ status: "skipped" }) },
  ]);
  expect(report.conformant).toBe(true);
});

test("every scenario and every watch has a wrong agent", () => {
  const ids = [...agentScenarios, ...agentWatches].map(({ id }) => id);
  expect(wrongAgents.map(({ fails }) => fails).sort()).toEqual(ids.sort());
});

test.concurrent.for(wrongAgents)(
  "only $fails fails for its wrong agent",
  async ({ fails, also = [], areas, mutation }, { expect }) => {
    const [area = ""] = fails.split("/");
    const isWatch = area === "watch";
    const only = ["watch/", ...(areas ?? (isWatch ? [] : [`${area}/`])), ...(isWatch ? [] : [fails])];
    // This scenario starts a process and is slow, so it runs only for its own wrong agent.
    const skip = fails === "session/mcp-server" ? [] : ["session/mcp-server"];
    const expected = [...new Set([fails, ...also])].sort();
    const foundIn = (report: ConformanceReport): string[] => [...failing(report)].sort();
    const report = await judge((each) => foundIn(each).join() === expected.join(), mutation, only, skip);
    for (const { id, status } of report.requirements) if (status === "failed") killed.add(id);
    expect(foundIn(report)).toEqual(expected);
    expect(reproDefects(report, shown)).toEqual([]);
  },
);

test.concurrent.for(mutants)("an agent that $does breaks $rule", async ({ rule, shows, mutation }, { expect }) => {
  const brokenIn = ({ faults }: ConformanceReport): readonly string[] =>
    faults.filter(({ weight }) => weighs(weight)).flatMap(({ rules }) => rules);
  const report = await judge((each) => brokenIn(each).includes(rule), mutation, shows);
  expect(brokenIn(report)).toContain(rule);
  expect(report.verdict).toBe("not conformant");
  expect(reproDefects(report, shown)).toEqual([]);
  killed.add(rule);
});

test.for([
  ["PROMPT-09", "permission/rejected"],
  ["PLAN-04", "tour/plan"],
] as const)("behaviour that %s does not forbid is reported as advice", async ([rule, scenario]) => {
  const { mutation } = legalAgents.find(({ habit }) => habit.includes(rule)) ?? {};
  const report = await run(mutation, [scenario, "watch/whole-plans"]);
  expect(report.requirements.find(({ id }) => id === rule)).toMatchObject({ status: "failed" });
  expect(report.verdict).toBe("conformant");
});

const endsLongTurn: Mutation = {
  receive: (message, agent) => {
    if (message.method === "session/prompt")
      (agent as Message).isLong = message.params.prompt[0].text.startsWith("/slow");
    return false;
  },
  write: (message, agent) =>
    message.result?.stopReason === "cancelled" && (agent as Message).isLong
      ? [{ ...message, result: { stopReason: "end_turn" } }]
      : undefined,
};
const releasesNothing: Mutation = { write: (message) => (message.method === "terminal/release" ? [] : undefined) };

test.for([
  ["CANCEL-06", "ends only turns that stream text with end_turn", "cancel/running-turn", endsLongTurn],
  ["TERM-13", "releases no terminal", "terminals/released", releasesNothing],
] as const)("%s is advice about an agent that %s, because no exchange proves it", async ([rule, , only, mutation]) => {
  const report = await run(mutation, [only]);
  expect(report.requirements.find(({ id }) => id === rule)).toMatchObject({ status: "failed" });
  expect(report.verdict).toBe("conformant");
});

const lineZero: Mutation = {
  write: (message) => {
    const copy = structuredClone(message);
    const update = copy.params?.update;
    if (update?.sessionUpdate === "tool_call") update.locations = [{ path: "/a.txt", line: 0 }];
    return [copy];
  },
};
const onlyFileLinks: Mutation = {
  receive(message, agent) {
    const links = (message.params?.prompt ?? []).filter(({ type }: Message) => type === "resource_link");
    if (links.every(({ uri }: Message) => uri.startsWith("file:"))) return false;
    agent.send({ jsonrpc: "2.0", id: message.id, error: { code: -32602, message: "Only files can be linked" } });
    return true;
  },
};

test.for([
  ["TOOL-15", "counts lines from 0", ["tour/", "watch/tool-call-paths"], lineZero],
  ["PROMPT-04", "refuses links other than file:", ["prompt/resource-link"], onlyFileLinks],
] as const)("%s gives advice to an agent that %s", async ([rule, , only, mutation]) => {
  const report = await run(mutation, only);
  expect(report.faults.map(({ rules }) => rules)).toEqual([[rule]]);
  expect(report.verdict).toBe("conformant");
});

test("conformance.each-rule-has-a-mutant: for every mandatory or capability rule, a finding about a wrong agent names the rule, or a written reason says why not", () => {
  const heavy = requirements.filter(
    (each) => each.binds !== "client" && each.observability !== "review" && weighs(tierOf(each)),
  );
  const isKilled = ({ id, brokenBy = [] }: Requirement): boolean => [id, ...brokenBy].some((each) => killed.has(each));
  const survivors = heavy.filter((rule) => !isKilled(rule));
  const unexplained = survivors.filter(
    ({ id, untested }) => untested?.agent === undefined && survival[id] === undefined,
  );
  expect(unexplained.map(({ id }) => id)).toEqual([]);
  expect(Object.keys(survival).filter((id) => killed.has(id))).toEqual([]);
  console.log(
    `Mandatory and capability rules: ${heavy.length}, named by a finding about a wrong agent: ${heavy.length - survivors.length}.`,
  );
});

test("conformance.every-fault-has-a-repro: each fault of a wrong agent has a script, and findings that are understandable without the kit", () => {
  expect(shown.size).toBeGreaterThan(100); // each of the tests above has checked the faults of its own agent
});

/**
 * Mandatory and capability rules that have a scenario, but that no finding about a wrong agent names, with the reason.
 */
const survival: Readonly<Record<string, string>> = {
  "INIT-10": "A finding about a method of another version than the agreed one cites RPC-20.",
};
