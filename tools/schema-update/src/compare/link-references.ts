import type { Branch, RefBranch } from "../normalize/shape.js";
import { type Comparison, link, type Place } from "./comparison.js";
import { compareWords } from "./words.js";

/** Links the references of both files that name the same definition or a renamed definition, and removes them from the lists. */
export function linkReferences(comparison: Comparison, place: Place, left: Branch[], right: Branch[]): void {
  const take = (a: RefBranch, b: RefBranch): void => {
    link(comparison, place, a.name, b.name);
    if (left.length > 1 || right.length > 1) compareWords(place, `(${b.title ?? b.name})`, a, b);
    left.splice(left.indexOf(a), 1);
    right.splice(right.indexOf(b), 1);
  };
  const refs = (branches: readonly Branch[]): RefBranch[] =>
    branches.filter((branch): branch is RefBranch => branch.kind === "ref");
  for (const a of refs(left)) {
    const b = refs(right).find(({ name }) => name === a.name);
    if (b !== undefined) take(a, b);
  }
  const gone = refs(left).filter(({ name }) => comparison.after.shape(name) === undefined);
  const fresh = refs(right).filter(({ name }) => comparison.before.shape(name) === undefined);
  for (const a of gone) {
    const b = fresh.find(
      ({ title, name }) =>
        right.some((one) => one.kind === "ref" && one.name === name) && title !== undefined && title === a.title,
    );
    if (b !== undefined) take(a, b);
  }
  const [a, ...moreGone] = gone.filter((one) => left.includes(one));
  const [b, ...moreFresh] = fresh.filter((one) => right.includes(one));
  if (a !== undefined && b !== undefined && moreGone.length === 0 && moreFresh.length === 0) take(a, b);
}
