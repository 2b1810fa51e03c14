import { weighs } from "../heaviest-tier.js";
import type { ScenarioReport } from "./report.js";

/** Returns the reasons why a run does not show that the peer is conformant although no mandatory or capability rule is broken. Each reason is a sentence. */
export function reasonsForDoubt(
  scenarios: readonly ScenarioReport[],
  { blocked, stopped }: { readonly blocked?: string; readonly stopped?: boolean },
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
    ...(applicable.length === 0 ? ["No scenario applies to this peer."] : []),
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
