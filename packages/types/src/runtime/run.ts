import { formatIssue } from "./issue.js";

/** Checks whether a value matches one definition, and repairs it in place where the schema allows it. */
export type Check = (value: unknown, run: Run) => boolean;

/** A JSON object. */
export type Members = Record<PropertyKey, unknown>;

/**
 * The state of one decoder run. A path is collected only after a check has found a fault or made a repair, so that a
 * valid message costs no time for paths. The innermost key of a path is collected first.
 */
export interface Run {
  /** The number of `changes`. It is a separate field, because checks compare it after every member. */
  n: number;
  readonly changes: Change[];
  /** The fault of the last failed check. */
  fault: Fault | undefined;
}

/** A reason for refusing a value. */
export interface Fault {
  readonly path: PropertyKey[];
  readonly message: string;
  /**
   * Whether the value was missing. If an alternative of a union fails because a member is missing, the sender probably
   * did not intend this alternative.
   */
  readonly missing: boolean;
}

/** A change of the value, and the function that undoes it. */
export interface Change {
  readonly path: PropertyKey[];
  /**
   * The report of the change. `undefined` if the change is not reported: for example, it sets the default of an absent
   * member.
   */
  readonly message: string | undefined;
  undo(): void;
}

/** Records the fault of the value with which a check was called, and returns `false`. */
export function fail(run: Run, value: unknown, expected: string, got: string = received(value)): false {
  run.fault = { path: [], message: `must be ${expected} (${got})`, missing: value === undefined };
  return false;
}

/**
 * Records the fault of the member `key` of `holder`, and returns `false`. Generated code calls this function for
 * members whose check is written inline.
 */
export function failAt(run: Run, holder: Members, key: string, expected: string): false {
  fail(run, holder[key], expected);
  return inside(run, key);
}

/**
 * Records that a value is not in a closed enum, and returns `false`. The message quotes the value, because a newer
 * version may define it.
 */
export function failOneOf(run: Run, value: unknown, values: string): false {
  const isShort = typeof value === "string" && value.length <= 40;
  return fail(run, value, `one of ${values}`, isShort ? `got ${JSON.stringify(value)}` : undefined);
}

/** Adds `key`, the name of a member, to the path of the fault in the member, and returns `false`. */
export function inside(run: Run, key: string): false {
  run.fault?.path.push(key);
  return false;
}

/**
 * Adds `key` to the paths of the changes that the check of the member has made, that is, of all changes after the first
 * `n`. If the check failed, adds `key` to the path of the fault.
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
 * Applies `x-deserialize-default-on-error` after the check of a member. If the check failed, the fallback replaces the
 * member. If the check repaired a part of the member, the repairs stay. An absent member gets the fallback.
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

/** Does the same as {@link mend} for a member whose check is written inline. */
export function replace(run: Run, holder: Members, key: string, expected: string, fallback?: unknown): number {
  if (holder[key] !== undefined) fail(run, holder[key], expected);
  return mend(run, holder, key, run.n, fallback);
}

/** Sets the default that the schema declares for an absent member. */
export function fill(run: Run, holder: Members, key: string, value: unknown): number {
  return put(run, holder, key, value, undefined);
}

/** Undoes all changes since `n` and clears the fault, after an alternative has failed. */
export function takeBack(run: Run, n: number): void {
  while (run.n > n) {
    run.n--;
    run.changes.pop()?.undo();
  }
  run.fault = undefined;
}

/** Records a change that has been made, and returns the new number of changes. */
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
    return "got an integer beyond ±(2^53 − 1), which JSON.parse can't represent exactly";
  }
  return `got ${Array.isArray(value) ? "array" : typeof value}`;
}
