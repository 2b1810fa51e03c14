import { formatIssue } from "./issue.js";

/** Decides whether a value is what one definition says, repairing it in place where the schema allows that. */
export type Check = (value: unknown, run: Run) => boolean;

/** A JSON object. */
export type Members = Record<PropertyKey, unknown>;

/**
 * What one run of a decoder remembers. Paths are collected innermost key first, and only while a check returns with
 * something to tell, so that a good message pays nothing for them.
 */
export interface Run {
  /** The number of `changes`, apart: checks compare it after every member. */
  n: number;
  readonly changes: Change[];
  /** Why the last check said no. */
  fault: Fault | undefined;
}

/** Why a value was refused. */
export interface Fault {
  readonly path: PropertyKey[];
  readonly message: string;
  /** The value was not there at all: of two alternatives, the one with such a fault was probably not meant. */
  readonly missing: boolean;
}

/** Something that was done to the value, and how to take it back. */
export interface Change {
  readonly path: PropertyKey[];
  /** `undefined` for what needs no report: a default that the schema declares for an absent member. */
  readonly message: string | undefined;
  undo(): void;
}

/** Refuses the value that a check was called with. */
export function fail(run: Run, value: unknown, expected: string, got: string = received(value)): false {
  run.fault = { path: [], message: `must be ${expected} (${got})`, missing: value === undefined };
  return false;
}

/** Refuses a member whose check needs no function of its own. */
export function failAt(run: Run, holder: Members, key: string, expected: string): false {
  fail(run, holder[key], expected);
  return inside(run, key);
}

/** Refuses a value that is none of the values of a closed enum, and shows it: the next version may know it. */
export function failOneOf(run: Run, value: unknown, values: string): false {
  const isShort = typeof value === "string" && value.length <= 40;
  return fail(run, value, `one of ${values}`, isShort ? `got ${JSON.stringify(value)}` : undefined);
}

/** Puts `key` in front of the fault of that member. */
export function inside(run: Run, key: string): false {
  run.fault?.path.push(key);
  return false;
}

/**
 * Puts `key` in front of whatever the check of that member has left since `n`.
 *
 * @returns the new number of changes, or -1 when the member was refused.
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
 * `x-deserialize-default-on-error`, after the check of a member has said no or has repaired something inside it.
 * Also fills in the default of an absent member.
 *
 * @returns the new number of changes.
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

/** A default that the schema declares, for a member that is absent. */
export function fill(run: Run, holder: Members, key: string, value: unknown): number {
  return put(run, holder, key, value, undefined);
}

/** Undoes every change since `n`, so that a failed attempt leaves no trace. Forgets the fault. */
export function takeBack(run: Run, n: number): void {
  while (run.n > n) {
    run.n--;
    run.changes.pop()?.undo();
  }
  run.fault = undefined;
}

/** Notes a change that has been made. */
export function note(run: Run, change: Change): number {
  run.changes.push(change);
  return ++run.n;
}

/** What a repair is reported as: what became of the value, and why. */
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
