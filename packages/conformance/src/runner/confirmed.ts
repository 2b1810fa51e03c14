import type { ScenarioContext } from "../scenario.js";
import type { Finding, Verdict } from "../verdict.js";
import type { ScenarioOutcome } from "./run-options.js";

/** Returns the verdict of two runs. Only a rule that both broke counts; without one, the verdict is flaky. */
export function confirmed(first: readonly Finding[], second: Verdict): Verdict {
  const again = second.status === "failed" ? second.findings : [];
  const isIn = (findings: readonly Finding[], { requirement }: Finding): boolean =>
    findings.some((each) => each.requirement === requirement);
  const both = first.filter((finding) => isIn(again, finding));
  const once = [...first, ...again].filter((finding) => !isIn(both, finding));
  if (both.length > 0) return { status: "failed", findings: both, ...(once.length > 0 && { unconfirmed: once }) };
  return { status: "flaky", findings: once, reason: `one of two runs broke a rule; the other ${inWords(second)}` };
}

function inWords(verdict: Verdict): string {
  switch (verdict.status) {
    case "passed":
      return "broke none";
    case "failed":
      return "broke another";
    case "flaky":
    case "skipped":
    case "inconclusive":
    case "not tested":
      return `was ${verdict.status}: ${verdict.reason}`;
  }
}

/** Returns the outcome of a scenario that ran twice, with the dialogues of both runs. */
export function confirmedOutcome<Context extends ScenarioContext>(
  first: ScenarioOutcome<Context>,
  second: ScenarioOutcome<Context>,
): ScenarioOutcome<Context> {
  if (first.verdict.status !== "failed") return first;
  const again = second.dialogues.map(({ name, entries }) => ({ name: `second run, ${name}`, entries }));
  const whereAgain = (finding: Finding): Finding =>
    finding.where
      ? { ...finding, where: { ...finding.where, dialogue: `second run, ${finding.where.dialogue}` } }
      : finding;
  const verdictAgain: Verdict =
    second.verdict.status === "failed"
      ? { status: "failed", findings: second.verdict.findings.map(whereAgain) }
      : second.verdict;
  return {
    check: first.check,
    verdict: confirmed(first.verdict.findings, verdictAgain),
    durationMs: first.durationMs + second.durationMs,
    dialogues: [...first.dialogues, ...again],
  };
}
