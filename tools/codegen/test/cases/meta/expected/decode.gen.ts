import { type Check, type Test, isObject, struct } from "../../runtime/checks.js";

const testObject: Test = { expected: "an object", holds: (v) => isObject(v) };
const checkA: Check = /* @__PURE__ */ struct({}, { _meta: testObject });
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkB: Check = /* @__PURE__ */ struct({}, { _meta: testObject }, { name: [/* optional */ 1, testString] });
const checkC: Check = /* @__PURE__ */ struct({}, { _meta: testObject });
export const checks: Record<string, Check> = {
  "A": checkA,
  "B": checkB,
  "C": checkC,
};
