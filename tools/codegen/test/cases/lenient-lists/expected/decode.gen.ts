import { type Check, type Run, type Test, fail, lenientList, list, struct } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkEntry: Check = /* @__PURE__ */ struct({ content: testString });
function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkListsStrict(v: unknown, run: Run): boolean {
  return list(v, run, checkEntry, 1);
}
const checkLists: Check = /* @__PURE__ */ struct(
  { itemsOnly: [lenientList, checkEntry], strict: checkListsStrict },
  { nullable: [lenientList, checkEntry], wholeOnly: [list, checkEntry] },
  {
    required: [/* mended */ 4, [lenientList, checkEntry]],
    optional: [/* optional, mended */ 5, [lenientList, checkAString]],
  },
);
export const checks: Record<string, Check> = {
  "Entry": checkEntry,
  "Lists": checkLists,
};
