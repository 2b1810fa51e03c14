import type { ScalarBranch } from "../normalize/shape.js";
import { compareConstraints } from "./compare-constraints.js";
import { type Place, report } from "./comparison.js";
import { describeBranch, quoteAll } from "./describe.js";
import { compareWords } from "./words.js";

/** Compares two strings, integers or numbers, including enums. */
export function compareScalars(place: Place, a: ScalarBranch, b: ScalarBranch): void {
  if (a.kind !== b.kind) {
    // One is `integer`, the other `number`. Each integer is a number, so a change to `number` makes more values valid.
    const widened = b.kind === "number";
    report(place, {
      code: "type-changed",
      effect: widened ? "widened" : "narrowed",
      what: `is ${describeBranch(b)}, was ${describeBranch(a)}`,
    });
    if (a.rest !== undefined && b.rest !== undefined) return;
  }
  const added = [...b.values.keys()].filter((value) => !a.values.has(value));
  const removed = [...a.values.keys()].filter((value) => !b.values.has(value));
  for (const [value, words] of b.values) {
    const old = a.values.get(value);
    if (old !== undefined) compareWords(place, `(${value})`, old, words);
  }
  if (a.rest === undefined && b.rest !== undefined) {
    report(place, {
      code: "opened",
      effect: "widened",
      what: `may be any ${describeBranch({ ...b, values: new Map() })} now, not only ${describeBranch(a)}`,
      demand: (who) => `${who.readers} have to accept unknown values`,
    });
  } else if (a.rest !== undefined && b.rest === undefined) {
    report(place, {
      code: "closed",
      effect: "narrowed",
      what: `may only be ${describeBranch(b)} now`,
      demand: (who) => `${who.writers} must not send anything else`,
    });
    // Values that only the open enum named are part of the same change.
    return;
  } else if (a.rest !== undefined && b.rest !== undefined) {
    compareConstraints(place, a.kind, a.rest, b.rest);
  }
  if (removed.length > 0) {
    const stillValid = b.rest !== undefined;
    report(place, {
      code: "value-removed",
      effect: "lost",
      what: `no longer defines ${quoteAll(removed)}${stillValid ? ", which stays valid as an unknown value" : ""}`,
      demand: (who) =>
        stillValid ? `${who.readers} need not understand it any more` : `${who.writers} must not send it`,
    });
  }
  if (added.length > 0 && !(a.rest === undefined && b.rest !== undefined)) reportAdded(place, a, b, added);
}

function reportAdded(place: Place, a: ScalarBranch, b: ScalarBranch, added: readonly (string | number)[]): void {
  if (a.values.size === 0) {
    report(place, {
      code: "value-added",
      effect: "known",
      what: `names the values ${quoteAll(added)}; any other value stays valid`,
    });
    return;
  }
  for (const value of added) {
    const open = a.rest !== undefined;
    report(place, {
      code: "value-added",
      effect: "widened",
      open,
      novelty: { name: String(value), doc: b.values.get(value)?.doc },
      what: `may be \`${value}\` now${open ? "; the old schema already allowed values that it did not list" : ""}`,
    });
  }
}
