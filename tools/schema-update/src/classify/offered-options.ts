import type { Difference } from "../compare/comparison.js";
import type { Change, ChangeClass } from "./change.js";

export interface JudgedChange {
  readonly difference: Difference;
  readonly change: Change;
}

/**
 * Corrects the verdict on choices among what the other side has offered.
 *
 * A new variant of `SetSessionConfigOptionRequest` looks breaking for the agents that read it. But a client can choose only
 * an option that the agent offered as the same variant of `SessionConfigOption`; where that one waits for a capability, no
 * agent of the old schema gets the request.
 *
 * @param gated - what a gated variant counts as.
 */
export function judgeOfferedOptions(judged: readonly JudgedChange[], gated: ChangeClass): readonly JudgedChange[] {
  const offers = judged.filter(({ change }) => change.note?.startsWith("gated by the capability") === true);
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
    const note = `chosen only from what was offered as \`${offer.change.path}\`, which is ${offer.change.note}`;
    const [says] = one.change.says.split("; ");
    return { ...one, change: { ...one.change, class: gated, says: says ?? one.change.says, affects: [], note } };
  });
}

/** Whether every reader of the choice writes the offer. */
function answers(choice: Change, offer: Change): boolean {
  const ends = (change: Change, index: 0 | 1): string[] =>
    change.directions.map((one) => one.split(" → ")[index] ?? "");
  const writers = ends(offer, 0);
  return ends(choice, 1).every((reader) => writers.includes(reader));
}
