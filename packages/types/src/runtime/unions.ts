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

/**
 * Checks a union without a tag: the first alternative that matches wins. The repairs of an alternative that fails are
 * undone.
 */
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

/** Checks a `oneOf` without a tag: exactly one alternative must match. */
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

/** Accepts any string as the tag of an open union. The rest of the value is not checked. */
export function anyTag(holder: Members, run: Run, tag: string): boolean {
  return typeof holder[tag] === "string" || failAt(run, holder, tag, "a string");
}

/**
 * Handles a value with a known tag and an invalid payload, in a union that also has an alternative without the tag. By
 * the schema's `anyOf`, the value is valid if it matches that alternative. The tag is then removed, because an
 * application that branches on the tag would trust the payload.
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
 * Handles a value without a known tag: checks it as the alternative without the tag or, if that fails and the value has
 * an unknown tag, as `other`.
 *
 * @param title - the tag that the alternative without the tag has in other versions of the protocol, such as `"stdio"`.
 * A value with this tag must match that alternative. `null`: the alternative has no tag in any version. `undefined`:
 * the alternative itself declares a member with the name of the tag, so this member is kept.
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

/** Removes the tag if its value is not a string. */
export function tagless(holder: Members, run: Run, tag: string): true {
  const value = holder[tag];
  if (value !== undefined && typeof value !== "string") replace(run, holder, tag, "a string");
  return true;
}

/** Accepts every value. It is the last alternative of an open union. */
export function anything(): true {
  return true;
}

/**
 * Selects which of two faults to report: the fault of the alternative that matches more of the value. If both
 * faults say that the same object lacks a member, they are reported as one fault.
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
