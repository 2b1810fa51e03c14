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

/** Untagged alternatives: the first match wins. A failed attempt is undone, including its repairs. */
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

/** `oneOf` without a tag: exactly one alternative must match. */
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

/** Accepts an unknown tag in an open union: the rest of the value is unchecked. */
export function anyTag(holder: Members, run: Run, tag: string): boolean {
  return typeof holder[tag] === "string" || failAt(run, holder, tag, "a string");
}

/**
 * Handles a known tag with an invalid payload, in a union that also has an alternative without the tag: as `anyOf`, the schema
 * lets the value pass as that one. The tag is then left out, because code that branches on it would trust the payload.
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
 * Handles a value without a known tag: as the alternative without the tag; else, with an unknown tag, as `other`.
 *
 * @param title - the name of the alternative. Other versions of the protocol made it a tag, so a value with that tag means it.
 * `null`: treat it like any other tag. `undefined`: the alternative itself declares the tag.
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

/** Leaves out an invalid value in the place of the tag. */
export function tagless(holder: Members, run: Run, tag: string): true {
  const value = holder[tag];
  if (value !== undefined && typeof value !== "string") replace(run, holder, tag, "a string");
  return true;
}

/** The last alternative of a union, which accepts everything. */
export function anything(): true {
  return true;
}

/**
 * Selects the fault to report: of the alternative that got further. When both miss a member of the same object, the value
 * matches neither, and the two are reported as one.
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
