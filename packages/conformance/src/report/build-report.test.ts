import { expect, test } from "vitest";
import type { ScenarioOutcome } from "../runner/run-options.js";
import type { Verdict } from "../verdict.js";
import { buildReport } from "./build-report.js";
import { compareReports } from "./compare-reports.js";
import type { ConformanceReport } from "./report.js";
import { reportText } from "./report-text.js";

function outcome(id: string, requirement: string, verdict: Verdict): ScenarioOutcome {
  const check = {
    kind: "scenario" as const,
    role: "agent" as const,
    tier: "mandatory" as const,
    id,
    title: id,
    verifies: [requirement],
    run: async () => {},
  };
  return { check, verdict, durationMs: 1, dialogues: [] };
}

const passed: Verdict = { status: "passed" };
const broken = (requirement: string): Verdict => ({
  status: "failed",
  findings: [{ requirement, sent: "x", received: "y", explanation: "z" }],
});

function report(
  outcomes: readonly ScenarioOutcome[],
  more: { blocked?: string; stopped?: boolean; expectedFailures?: readonly string[] } = {},
): ConformanceReport {
  return buildReport({
    role: "agent",
    subject: { command: "agent" },
    kit: "1.0.0",
    startedAt: new Date(0),
    durationMs: 1,
    outcomes,
    ...more,
  });
}

const good = outcome("a/good", "RPC-04", passed);

test("a peer is not conformant if a MUST is broken, or if an expected failure passes", () => {
  expect(report([good, outcome("a/bad", "CANCEL-06", broken("CANCEL-06"))]).verdict).toBe("not conformant");
  const stale = report([good], { expectedFailures: ["RPC-04"] });
  expect(stale).toMatchObject({ verdict: "not conformant", staleExpectations: ["RPC-04"] });
});

test("the text does not call a peer conformant whose failures were all expected", () => {
  const text = (...failures: readonly ScenarioOutcome[]): string | undefined =>
    reportText(report([good, ...failures], { expectedFailures: ["CANCEL-06"] }))
      .trim()
      .split("\n")
      .at(-1);
  const bad = outcome("a/bad", "CANCEL-06", broken("CANCEL-06"));
  expect(text(bad)).toBe("agent: no unexpected failures, 1 failed as expected (0.0 s)");
  expect(text(bad, outcome("a/worse", "RPC-05", broken("RPC-05")))).toBe("agent: not conformant (0.0 s)");
  expect(text()).toBe("agent: conformant (0.0 s)");
});

test("a rule that is broken only by expected failures is not counted as failed", () => {
  const bad = outcome("a/bad", "CANCEL-06", broken("CANCEL-06"));
  const expectedFailures = ["a/bad"];
  const sums = (...failures: readonly ScenarioOutcome[]): string | undefined =>
    reportText(report([good, ...failures], { expectedFailures }))
      .split("\n")
      .find((line) => line.startsWith("requirements:"));
  expect(sums(bad)).toContain(" 0 failed, 1 failed as expected,");
  expect(sums(bad, outcome("a/worse", "CANCEL-06", broken("CANCEL-06")))).toContain(" 1 failed, 0 failed as expected,");
});

test("a finding with a remedy of its own shows that one, others the remedy of their rule", () => {
  const todo = (remedy: { remedy?: string }): string | undefined => {
    const finding = { requirement: "RPC-04", sent: "x", received: "y", explanation: "z", ...remedy };
    const text = reportText(report([outcome("a/bad", "RPC-04", { status: "failed", findings: [finding] })]));
    return /to do: +(.*)/.exec(text)?.[1];
  };
  expect(todo({ remedy: "Count ids upwards." })).toBe("Count ids upwards.");
  expect(todo({})).toMatch(/^Respond to every request exactly once/);
});

test("a peer with advice and skipped scenarios is conformant", () => {
  const skipped = outcome("a/skip", "MODE-03", { status: "skipped", reason: "no modes" });
  expect(report([good, skipped, outcome("a/hint", "INIT-06", broken("INIT-06"))])).toMatchObject({
    verdict: "conformant",
    conformant: true,
    reasons: [],
    counts: { faults: 0, scenarios: { advisory: 1, skipped: 1 } },
  });
});

test("conformance.doubt-is-inconclusive: a missing login, too many inconclusive scenarios, a flaky MUST or a stopped run makes the report inconclusive, with the reason", () => {
  const open = (id: string): ScenarioOutcome => outcome(id, "RPC-05", { status: "inconclusive", reason: "slow" });
  expect(report([good], { blocked: "a login is needed" })).toMatchObject({
    verdict: "inconclusive",
    reasons: ["A login is needed."],
  });
  expect(report([good, open("a/1"), open("a/2")]).reasons).toEqual([
    "2 of the 3 scenarios that apply could not be decided.",
  ]);
  const flaky: Verdict = {
    status: "flaky",
    reason: "once",
    findings: [{ requirement: "RPC-05", sent: "", received: "", explanation: "" }],
  };
  expect(report([good, outcome("a/flaky", "RPC-05", flaky)]).reasons[0]).toContain("only one of two runs: a/flaky");
  expect(report([good], { stopped: true })).toMatchObject({ verdict: "inconclusive", stopped: true });
});

test("a broken MUST takes precedence over inconclusive results", () => {
  const bad = outcome("a/bad", "CANCEL-06", broken("CANCEL-06"));
  expect(report([bad], { blocked: "a login is needed" })).toMatchObject({ verdict: "not conformant", reasons: [] });
});

test("an expected failure whose scenario is inconclusive is not stale", () => {
  const open = outcome("a/open", "RPC-05", { status: "inconclusive", reason: "slow" });
  expect(report([good, open], { expectedFailures: ["RPC-05"] }).staleExpectations).toEqual([]);
});

test("a comparison lists newly broken and fixed rules", () => {
  const before = report([good, outcome("a/x", "CANCEL-06", broken("CANCEL-06")), outcome("a/y", "RPC-05", passed)]);
  const after = report([good, outcome("a/x", "CANCEL-06", passed), outcome("a/y", "RPC-05", broken("RPC-05"))]);
  expect(compareReports(before, after)).toEqual({ broken: ["RPC-05"], fixed: ["CANCEL-06"], other: [] });
});

test("a rule that repeats the cited rule is broken as well, in the same fault", () => {
  const bad = report([good, outcome("a/bad", "CAP-14", broken("CAP-14"))]);
  const failed = bad.requirements.filter(({ status }) => status === "failed").map(({ id }) => id);
  expect(failed.sort()).toEqual(["CAP-14", "FS-01", "FS-02", "INIT-12"]);
  expect(bad.requirements.find(({ id }) => id === "FS-02")).toMatchObject({
    reason: "it repeats CAP-14",
    findings: [{ requirement: "CAP-14" }],
  });
  expect(bad.faults).toMatchObject([{ rules: ["CAP-14"] }]);
  expect(compareReports(report([good, outcome("a/bad", "CAP-14", passed)]), bad).broken).toEqual(["CAP-14"]);
});
