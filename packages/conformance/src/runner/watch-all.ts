import type { Dialogue } from "../dialogue.js";
import type { ScenarioContext, Watch } from "../scenario.js";
import type { Finding, Verdict } from "../verdict.js";
import { checked } from "./run-one.js";
import type { ScenarioOutcome } from "./run-options.js";

/** A dialogue and its scenario. */
export interface PlayedDialogue {
  readonly scenario: string;
  readonly dialogue: Dialogue;
}

/** Returns the dialogues of outcomes, each named after its scenario. */
export function playedDialogues<Context extends ScenarioContext>(
  outcomes: readonly ScenarioOutcome<Context>[],
): readonly PlayedDialogue[] {
  return outcomes.flatMap(({ check: { id }, dialogues }) =>
    dialogues.map(({ name, entries }) => ({ scenario: id, dialogue: { name: `${id}, ${name}`, entries } })),
  );
}

/** Runs a watch over dialogues. Returns its outcome, and the scenarios in which it has findings. */
export function watchAll<Context extends ScenarioContext>(
  watch: Watch,
  played: readonly PlayedDialogue[],
): { readonly outcome: ScenarioOutcome<Context>; readonly scenarios: readonly string[] } {
  const start = performance.now();
  const findings: Finding[] = [];
  const wrong: PlayedDialogue[] = [];
  let checkedEntries = 0;
  let isUsed = watch.unlessUsed === undefined;
  for (const each of played) {
    const observation = watch.watch(each.dialogue);
    checkedEntries += observation.checkedEntries;
    isUsed ||= observation.uses === true;
    if (observation.findings.length === 0) continue;
    wrong.push(each);
    for (const finding of observation.findings) {
      const { seqs } = finding.where ?? { seqs: [] };
      findings.push(checked(watch, { ...finding, where: { dialogue: each.dialogue.name, seqs } }));
    }
  }
  const verdict: Verdict =
    findings.length > 0
      ? { status: "failed", findings: distinct(findings) }
      : checkedEntries > 0 && isUsed
        ? { status: "passed" }
        : {
            status: "skipped",
            reason: (checkedEntries > 0 && watch.unlessUsed) || "no scenario produced a message that this watch checks",
          };
  const shown = new Set(verdict.status === "failed" ? verdict.findings.map(({ where }) => where?.dialogue) : []);
  const outcome: ScenarioOutcome<Context> = {
    check: watch,
    verdict,
    durationMs: Math.round(performance.now() - start),
    dialogues: wrong.map(({ dialogue }) => dialogue).filter(({ name }) => shown.has(name)),
  };
  return { outcome, scenarios: [...new Set(wrong.map(({ scenario }) => scenario))] };
}

/** Returns at most three findings of each kind, because the same mistake often occurs in every dialogue. */
function distinct(findings: readonly Finding[]): Finding[] {
  const count = new Map<string, number>();
  return findings.filter(({ requirement, explanation }) => {
    const key = `${requirement} ${explanation}`;
    count.set(key, (count.get(key) ?? 0) + 1);
    return (count.get(key) ?? 0) <= 3;
  });
}
