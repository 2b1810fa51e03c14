import {
  type Check,
  type Fault,
  fail,
  failAt,
  type Members,
  note,
  type Run,
  repair,
  replace,
  takeBack,
} from "./run.js";

/** Untagged alternatives: the first that fits. A failed attempt is taken back, whatever it had repaired. */
export function firstOf(value: unknown, run: Run, alternatives: readonly Check[]): boolean {
  const { n } = run;
  let closest: Fault | undefined;
  for (const check of alternatives) {
    if (check(value, run)) return true;
    closest = closer(closest, run.fault);
    takeBack(run, n);
  }
  run.fault = closest;
  return false;
}

/** `oneOf` without a tag: exactly one alternative must fit. */
export function onlyOneOf(value: unknown, run: Run, alternatives: readonly Check[]): boolean {
  const { n } = run;
  let closest: Fault | undefined;
  const fitting = alternatives.filter((check) => {
    const fits = check(value, run);
    if (!fits) closest = closer(closest, run.fault);
    takeBack(run, n);
    return fits;
  });
  const [only] = fitting;
  if (fitting.length > 1) return fail(run, value, `only one of ${fitting.length} alternatives that it fits`);
  if (only !== undefined) return only(value, run);
  run.fault = closest;
  return false;
}

/** A tag that the schema does not know, in a union that is open: anything may stand beside it. */
export function anyTag(holder: Members, run: Run, tag: string): boolean {
  return typeof holder[tag] === "string" || failAt(run, holder, tag, "a string");
}

/**
 * A known tag whose payload is bad, in a union that also has an alternative without the tag: as `anyOf`, the schema
 * lets the value pass as that one. The tag is then left out, because whoever branches on it would trust the payload.
 */
export function orUntagged(holder: Members, run: Run, tag: string, n: number, untagged: Check): boolean {
  const { fault } = run;
  takeBack(run, n);
  if (untagged(holder, run)) {
    const before = holder[tag];
    delete holder[tag];
    const undo = () => {
      holder[tag] = before;
    };
    note(run, { path: [tag], message: fault && repair(fault), undo });
    return true;
  }
  takeBack(run, n);
  run.fault = fault;
  return false;
}

/**
 * Where no known tag stands: the alternative without the tag; else, for a tag that is not known, `other`.
 *
 * @param title - the name of the alternative. Other versions of the protocol made it a tag, so a value with that tag is
 *   meant to be it. `null`: it is a tag like any other. `undefined`: the alternative itself says what the tag may be.
 */
export function untaggedOr(
  holder: Members,
  run: Run,
  tag: string,
  n: number,
  untagged: Check,
  title?: string | null,
  other: Check = anything,
): boolean {
  if (untagged(holder, run)) return title === undefined || tagless(holder, run, tag);
  if (typeof holder[tag] !== "string" || holder[tag] === title) return false;
  takeBack(run, n);
  return other(holder, run);
}

/** Leaves out what stands in the place of the tag but cannot be one. */
export function tagless(holder: Members, run: Run, tag: string): true {
  const value = holder[tag];
  if (value !== undefined && typeof value !== "string") replace(run, holder, tag, "a string");
  return true;
}

/** The last alternative of a union that takes everything. */
export function anything(): true {
  return true;
}

/**
 * Which of two faults to tell about: the one that got further. When both miss a member of the same object, the value
 * is neither alternative, and the two are told as one.
 */
function closer(a: Fault | undefined, b: Fault | undefined): Fault | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.missing !== b.missing) return a.missing ? b : a;
  if (a.path.length !== b.path.length) return a.path.length > b.path.length ? a : b;
  const [first, ...holder] = a.path;
  const [second, ...other] = b.path;
  if (!a.missing || first === second || holder.some((key, index) => key !== other[index])) return a;
  return { path: holder, message: `must have "${String(first)}" or "${String(second)}"`, missing: true };
}
