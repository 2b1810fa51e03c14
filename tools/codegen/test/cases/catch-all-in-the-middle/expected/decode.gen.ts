import { type Check, type Run, fail, isObject, list, orUntagged, struct, untaggedOr } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
const checkPlain: Check = /* @__PURE__ */ struct({ values: [list, checkAString] });
const checkTitled: Check = /* @__PURE__ */ struct({ anyOf: [list, checkAString] });
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
