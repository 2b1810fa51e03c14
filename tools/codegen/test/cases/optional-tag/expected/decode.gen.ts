import { type Check, type Run, type Test, fail, isObject, orUntagged, struct, untaggedOr } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkErrorReason: Check = /* @__PURE__ */ struct({}, { error: testString });
const testNull: Test = { expected: "null", holds: (v) => v === null };
const checkIdleNone: Check = /* @__PURE__ */ struct({}, {}, { stopReason: [/* optional */ 1, testNull] });
function checkIdleRest(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  const start = run.n;
  switch (v.stopReason) {
    case "end_turn":
      return true;
    case "error":
      return checkErrorReason(v, run) || orUntagged(v, run, "stopReason", start, checkIdleNone);
  }
  return untaggedOr(v, run, "stopReason", start, checkIdleNone);
}
const checkIdle: Check = /* @__PURE__ */ struct(
  {},
  { stopReason: testString },
  { note: [/* optional, nullable */ 3, testString] },
  checkIdleRest,
);
export const checks: Record<string, Check> = {
  "ErrorReason": checkErrorReason,
  "Idle": checkIdle,
};
