import type { Difference } from "../compare/comparison.js";
import type { Change, ChangeClass } from "./change.js";

export interface JudgedChange {
  readonly difference: Difference;
  readonly change: Change;
}

/**
 * Corrects the class of changes in a request by which one side chooses an option that the other side offered.
 *
 * A new variant of `SetSessionConfigOptionRequest` looks breaking for the agents that read it. But a client can choose only an option that
 * the agent offered as the same variant of `SessionConfigOption`. If a capability gates that variant, no agent of the old schema receives
 * the request.
 *
 * @param gated - the class of a gated variant.
 */
export function judgeOfferedOptions(judged: readonly JudgedChange[], gated: ChangeClass): readonly JudgedChange[] {
  const offers = judged.filter(({ change }) => change.kind === "gated");
  return judged.map((one) => {
    const name = one.difference.novelty?.name;
    const offer = offers.find(
      (other) =>
        one.change.class === "breaking" &&
        name !== undefined &&
        other.difference.novelty?.name === name &&
        other.change.definition !== one.change.definition &&
        one.change.definition.includes(other.change.definition) &&
        answers(one.change, other.change),
    );
    if (offer === undefined) return one;
    const note = `chosen only among the options that were offered as \`${offer.change.path}\`, which is ${offer.change.note}`;
    return { ...one, change: { ...one.change, class: gated, says: one.difference.what, affects: [], note } };
  });
}

/** Whether every reader of the choice is the writer of the offer. */
function answers(choice: Change, offer: Change): boolean {
  const ends = (change: Change, index: 0 | 1): string[] =>
    change.directions.map((one) => one.split(" → ")[index] ?? "");
  const writers = ends(offer, 0);
  return ends(choice, 1).every((reader) => writers.includes(reader));
}
