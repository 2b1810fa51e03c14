import { type Check, type Run, type Test, fail, isObject, list, struct, tagged } from "../../runtime/checks.js";

function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
const checkSelect: Check = /* @__PURE__ */ struct({ options: [list, checkAString] });
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const testObject: Test = { expected: "an object", holds: (v) => isObject(v) };
const testBoolean: Test = { expected: "a boolean", holds: (v) => typeof v === "boolean" };
const checkConfigOptionBoolean: Check = /* @__PURE__ */ struct({ currentValue: testBoolean });
const checkConfigOptionRest: Check = /* @__PURE__ */ tagged("type", { select: checkSelect, boolean: checkConfigOptionBoolean });
const checkConfigOption: Check = /* @__PURE__ */ struct({ name: testString }, { _meta: testObject }, {}, checkConfigOptionRest);
export const checks: Record<string, Check> = {
  "Select": checkSelect,
  "ConfigOption": checkConfigOption,
};
