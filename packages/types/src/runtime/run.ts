import { formatIssue } from "./issue.js";

/** Checks whether a value matches one definition, repairing it in place where the schema allows that. */
export type Check = (value: unknown, run: Run) => boolean;

/** A JSON object. */
export type Members = Record<PropertyKey, unknown>;

/**
 * The state of one decoder run. Paths are collected innermost key first, and only when a check returns a fault or repair, so
 * that a valid message pays nothing for them.
 */
export interface Run {
  /** The number of `changes`, as a separate field: checks compare it after every member. */
  n: number;
  readonly changes: Change[];
  /** The fault of the last failed check. */
  fault: Fault | undefined;
}

/** A reason for refusing a value. */
export interface Fault {
  readonly path: PropertyKey[];
  readonly message: string;
  /** The value was missing: of two alternatives, the one with such a fault was probably not intended. */
  readonly missing: boolean;
}

/** A change of the value, and the function that undoes it. */
export interface Change {
  readonly path: PropertyKey[];
  /** `undefined` for a change that needs no report: a default that the schema declares for an absent member. */
  readonly message: string | undefined;
  undo(): void;
}

/** Refuses the value that a check was called with. */
export function fail(run: Run, value: unknown, expected: string, got: string = received(value)): false {
  run.fault = { path: [], message: `must be ${expected} (${got})`, missing: value === undefined };
  return false;
}

/** Reports that the member `key` of `holder` is not what the schema expects, and returns `false`. For members whose check is written inline. */
export function failAt(run: Run, holder: Members, key: string, expected: string): false {
  fail(run, holder[key], expected);
  return inside(run, key);
}

/** Refuses a value that is not in a closed enum, and quotes it: a newer version may define it. */
export function failOneOf(run: Run, value: unknown, values: string): false {
  const isShort = typeof value === "string" && value.length <= 40;
  return fail(run, value, `one of ${values}`, isShort ? `got ${JSON.stringify(value)}` : undefined);
}

/** Prepends `key` to the path of that member's fault. */
export function inside(run: Run, key: string): false {
  run.fault?.path.push(key);
  return false;
}

/**
 * Prepends `key` to the changes that the member's check has made since `n`.
 *
 * @returns the number of changes to the decoded value so far, or -1 when the member was refused.
 */
export function within(run: Run, key: PropertyKey, n: number): number {
  if (run.fault !== undefined) {
    run.fault.path.push(key);
    return -1;
  }
  for (let i = n; i < run.n; i++) run.changes[i]?.path.push(key);
  return run.n;
}

/**
 * Applies `x-deserialize-default-on-error`, after the check of a member has failed or has repaired part of it. Also fills in
 * the default of an absent member.
 *
 * @returns the number of changes to the decoded value so far.
 */
export function mend(run: Run, holder: Members, key: string, n: number, fallback?: unknown): number {
  const { fault } = run;
  if (fault === undefined) {
    return holder[key] === undefined ? fill(run, holder, key, fallback) : within(run, key, n);
  }
  takeBack(run, n);
  return put(run, holder, key, fallback, repair(fault, fallback));
}

/** {@link mend} for a member whose check needs no function of its own. */
export function replace(run: Run, holder: Members, key: string, expected: string, fallback?: unknown): number {
  if (holder[key] !== undefined) fail(run, holder[key], expected);
  return mend(run, holder, key, run.n, fallback);
}

/** Fills in a default that the schema declares for an absent member. */
export function fill(run: Run, holder: Members, key: string, value: unknown): number {
  return put(run, holder, key, value, undefined);
}

/** Undoes every change since `n`, so that a failed attempt leaves no trace. Clears the fault. */
export function takeBack(run: Run, n: number): void {
  while (run.n > n) {
    run.n--;
    run.changes.pop()?.undo();
  }
  run.fault = undefined;
}

/** Records a change that has been made. */
export function note(run: Run, change: Change): number {
  run.changes.push(change);
  return ++run.n;
}

/** Returns the report of a repair: the new value, and the reason. */
export function repair({ path, message }: Fault, fallback?: unknown): string {
  const outcome = fallback === undefined ? "left out" : `read as ${JSON.stringify(fallback)}`;
  return `${outcome}: ${formatIssue({ path: path.reverse(), message })}`;
}

function put(run: Run, holder: Members, key: string, value: unknown, message: string | undefined): number {
  const before = holder[key];
  assign(holder, key, value);
  return note(run, { path: [key], message, undo: () => assign(holder, key, before) });
}

function assign(holder: Members, key: string, value: unknown): void {
  if (value === undefined) delete holder[key];
  else holder[key] = value;
}

function received(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "got null";
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return "got an integer beyond ±(2^53 − 1), whose digits JSON.parse has already lost";
  }
  return `got ${Array.isArray(value) ? "array" : typeof value}`;
}
