import { type Check, type Run, fail, inside, isObject, list, orUntagged, untaggedOr } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}

function checkPlain(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.values;
  if (!list(t, run, checkAString)) return inside(run, "values");
  return true;
}

function checkTitled(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.anyOf;
  if (!list(t, run, checkAString)) return inside(run, "anyOf");
  return true;
}

function checkItems(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  const start = run.n;
  switch (v.type) {
    case "string":
      return checkPlain(v, run) || orUntagged(v, run, "type", start, checkTitled);
  }
  return untaggedOr(v, run, "type", start, checkTitled, null);
}

export const checks: Record<string, Check> = {
  "Plain": checkPlain,
  "Titled": checkTitled,
  "Items": checkItems,
};
