import { type Check, fail, fill, type Members, mend, type Run, replace, within } from "./run.js";
import { isObject } from "./scalars.js";

/** A condition on a value, and a description of it for messages. */
export interface Test {
  readonly expected: string;
  holds(value: unknown): boolean;
}

/** How the value of a member is read: by a test, by a check, or as a list whose items each pass a check. */
export type Form = Test | Check | readonly [list: (value: unknown, run: Run, check: Check) => boolean, item: Check];

// The rules for a member, as bits.
const optional = 1;
const nullable = 2;
/** `x-deserialize-default-on-error`: a malformed value is replaced by the fallback. */
const mended = 4;
/** `x-deserialize-default-on-null`: `null` is read as an empty value. */
const emptied = 8;
/** An absent member gets the fallback, which is the default that the schema declares. */
const filled = 16;

/**
 * The rule, form and fallback of a member that is neither required nor loose (see {@link struct}). If the fallback is
 * an object, `fallback` is a function that creates the object, because each decoded value needs a new object.
 */
export type Other = readonly [rule: number, form: Form, fallback?: unknown];

interface Member {
  readonly key: string;
  readonly rule: number;
  readonly form: Form;
  readonly fallback: unknown;
}

/**
 * Returns the check for an object with declared members. The function interprets a description of the members at run
 * time. The description needs less code than a generated function, but is slower. So only frequent messages have
 * generated functions.
 *
 * @param required - members that must be present and valid.
 * @param loose - members that may be absent or `null`, and that are removed if they are malformed. Most members of this
 * schema are loose.
 * @param ending - a last check of the same object, if the schema also requires one of several alternatives (`anyOf`).
 */
export function struct(
  required: Readonly<Record<string, Form>>,
  loose: Readonly<Record<string, Form>> = {},
  others: Readonly<Record<string, Other>> = {},
  ending?: Check,
): Check {
  let members: readonly Member[] | undefined;
  return (value, run) => {
    if (!isObject(value)) return fail(run, value, "an object");
    members ??= listed(required, loose, others);
    let { n } = run;
    for (const member of members) {
      n = read(value, member, run, n);
      if (n < 0) return false;
    }
    return ending === undefined || ending(value, run);
  };
}

/** Returns the list of members. It is created at the first use, because most programs never receive most messages. */
function listed(
  required: Readonly<Record<string, Form>>,
  loose: Readonly<Record<string, Form>>,
  others: Readonly<Record<string, Other>>,
): readonly Member[] {
  const member = (key: string, rule: number, form: Form, fallback?: unknown): Member => ({ key, rule, form, fallback });
  return [
    ...Object.entries(required).map(([key, form]) => member(key, 0, form)),
    ...Object.entries(others).map(([key, [rule, form, fallback]]) => member(key, rule, form, fallback)),
    ...Object.entries(loose).map(([key, form]) => member(key, optional | nullable | mended, form)),
  ];
}

/** @returns the new number of changes, or -1 when the member was refused. */
function read(holder: Members, member: Member, run: Run, n: number): number {
  const { key, rule, form } = member;
  const value = holder[key];
  if (value === undefined) {
    if (rule & filled) return fill(run, holder, key, fallbackOf(member));
    if (rule & optional) return n;
  } else if (value === null) {
    if (rule & emptied) return replace(run, holder, key, expectedOf(form), isList(form) ? [] : {});
    if (rule & nullable) return n;
  }
  if (passes(form, value, run, (rule & nullable) !== 0) && run.n === n) return n;
  // A missing required member has no fallback; its check has already recorded the fault.
  return rule & mended && value !== undefined ? mend(run, holder, key, n, fallbackOf(member)) : within(run, key, n);
}

function passes(form: Form, value: unknown, run: Run, orNull: boolean): boolean {
  if (typeof form === "function") return form(value, run);
  if (isList(form)) return form[0](value, run, form[1]);
  return form.holds(value) || fail(run, value, orNull ? `${form.expected} or null` : form.expected);
}

function expectedOf(form: Form): string {
  return isList(form) ? "an array" : "an object";
}

function isList(form: Form): form is Exclude<Form, Test | Check> {
  return Array.isArray(form);
}

/**
 * Returns the fallback of a member. The fallback of a malformed list is an empty list. If the schema also allows
 * `null`, a malformed list is removed instead.
 */
function fallbackOf({ rule, form, fallback }: Member): unknown {
  if (fallback === undefined) return isList(form) && !(rule & nullable) ? [] : undefined;
  return typeof fallback === "function" ? fallback() : fallback;
}
