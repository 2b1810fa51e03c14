import { type Check, type Test, isNumber, struct } from "../../runtime/checks.js";

const testNumber: Test = { expected: "a number", holds: (v) => isNumber(v) };
const checkCost: Check = /* @__PURE__ */ struct({ amount: testNumber });
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkUsage: Check = /* @__PURE__ */ struct(
  {},
  { title: testString, cost: checkCost },
  { label: [/* optional, mended */ 5, testString], exact: [/* optional, mended */ 5, checkCost] },
);
export const checks: Record<string, Check> = {
  "Cost": checkCost,
  "Usage": checkUsage,
};
