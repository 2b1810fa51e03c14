import { type Check, fail, note, type Run, repair, takeBack, within } from "./run.js";
import { isObject } from "./scalars.js";

/** Checks an array. All its items must pass `check`. */
export function list(value: unknown, run: Run, check: Check, minimum = 0): boolean {
  if (!Array.isArray(value)) return fail(run, value, "an array");
  if (value.length < minimum) return fail(run, value, `an array with ${minimum} or more items`, `got ${value.length}`);
  let { n } = run;
  for (let i = 0; i < value.length; i++) {
    if (!(check(value[i], run) && run.n === n)) {
      n = within(run, i, n);
      if (n < 0) return false;
    }
  }
  return true;
}

/** Checks an array with `x-deserialize-skip-invalid-items`: removes, in place, the items that do not pass `check`. */
export function lenientList(value: unknown, run: Run, check: Check): boolean {
  if (!Array.isArray(value)) return fail(run, value, "an array");
  let { n } = run;
  let kept: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item: unknown = value[i];
    if (check(item, run)) {
      if (run.n !== n) n = within(run, i, n);
      kept?.push(item);
    } else {
      const { fault } = run;
      takeBack(run, n);
      kept ??= value.slice(0, i);
      n = note(run, { path: [i], message: fault && repair(fault), undo() {} });
    }
  }
  if (kept !== undefined) {
    const before = value.slice();
    refill(value, kept);
    note(run, { path: [], message: undefined, undo: () => refill(value, before) });
  }
  return true;
}

/** Checks a map, in which every member must pass the same check. */
export function record(value: unknown, run: Run, check: Check): boolean {
  if (!isObject(value)) return fail(run, value, "an object");
  let { n } = run;
  for (const key of Object.keys(value)) {
    if (!(check(value[key], run) && run.n === n)) {
      n = within(run, key, n);
      if (n < 0) return false;
    }
  }
  return true;
}

function refill(target: unknown[], items: readonly unknown[]): void {
  target.length = 0;
  for (const item of items) target.push(item);
}
