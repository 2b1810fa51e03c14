import { weighs } from "../heaviest-tier.js";
import { hits } from "../runner/selection.js";
import type { ScenarioReport } from "./report.js";

/** Returns why a run does not show that the peer is conformant without a broken rule, as sentences. */
export function reasonsForDoubt(
  scenarios: readonly ScenarioReport[],
  {
    blocked,
    stopped,
    only = [],
  }: {
    readonly blocked?: string | undefined;
    readonly stopped?: boolean | undefined;
    readonly only?: readonly string[] | undefined;
  },
): readonly string[] {
  const applicable = scenarios.filter(({ kind, verdict }) => kind === "scenario" && verdict.status !== "skipped");
  const open = applicable.filter(({ verdict }) => verdict.status === "inconclusive");
  const flaky = scenarios.filter(
    ({ verdict, weight, expected }) =>
      verdict.status === "flaky" && weight !== undefined && weighs(weight) && expected !== true,
  );
  return [
    ...(stopped ? ["The run was stopped before its end."] : []),
    ...(blocked === undefined ? [] : [sentence(blocked)]),
    ...(open.length * 2 > applicable.length
      ? [`${open.length} of the ${applicable.length} scenarios that apply could not be decided.`]
      : []),
    ...(flaky.length > 0
      ? [`A mandatory or capability rule was broken in only one of two runs: ${flaky.map(({ id }) => id).join(", ")}.`]
      : []),
    ...only.flatMap((wish) => unwatched(wish, scenarios)),
    ...(applicable.length === 0 ? ["No scenario applies to this peer."] : []),
  ];
}

/** Returns why the run shows nothing about a rule or a watch that it was limited to. */
function unwatched(wish: string, checks: readonly ScenarioReport[]): readonly string[] {
  const chosen = checks.filter((check) => hits(wish, check));
  const isDecided = chosen.some(({ verdict }) => verdict.status !== "skipped" && verdict.status !== "inconclusive");
  const watch = chosen.find(({ kind }) => kind === "watch");
  return isDecided || watch?.verdict.status !== "skipped" ? [] : [`${wish} was not checked: ${watch.verdict.reason}.`];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
