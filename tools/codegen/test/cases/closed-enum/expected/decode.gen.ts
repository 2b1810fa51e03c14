import { type Check, list, oneOf, struct } from "../../runtime/checks.js";

const checkFormat: Check = /* @__PURE__ */ oneOf("email", "date-time");
const checkOld: Check = /* @__PURE__ */ oneOf("a", "b");
const checkField: Check = /* @__PURE__ */ struct(
  {},
  {},
  { format: [/* optional, nullable */ 3, checkFormat], all: [/* optional */ 1, [list, checkFormat]] },
);
export const checks: Record<string, Check> = {
  "Format": checkFormat,
  "Old": checkOld,
  "Field": checkField,
};
