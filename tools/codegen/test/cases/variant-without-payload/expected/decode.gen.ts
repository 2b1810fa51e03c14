import { type Check, type Test, anything, struct, tagged } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkSelected: Check = /* @__PURE__ */ struct({ optionId: testString });
const checkOutcome: Check = /* @__PURE__ */ tagged("outcome", { cancelled: anything, selected: checkSelected });
export const checks: Record<string, Check> = {
  "Selected": checkSelected,
  "Outcome": checkOutcome,
};
