import { type Check, type Run, type Test, fail, isInteger, isObject, list, record, struct } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkValue: Check = /* @__PURE__ */ struct({}, {}, { text: [/* optional */ 1, testString] });
function checkAString(v: unknown, run: Run): boolean {
  return typeof v === "string" || fail(run, v, "a string");
}
function checkMapsListsValue(v: unknown, run: Run): boolean {
  return list(v, run, checkAString);
}
const testObject: Test = { expected: "an object", holds: (v) => isObject(v) };
function checkMapsStrings(v: unknown, run: Run): boolean {
  return record(v, run, checkAString);
}
function checkMapsValues(v: unknown, run: Run): boolean {
  return record(v, run, checkValue);
}
function checkMapsLists(v: unknown, run: Run): boolean {
  return record(v, run, checkMapsListsValue);
}
const checkMaps: Check = /* @__PURE__ */ struct(
  {},
  {},
  {
    any: [/* optional, nullable */ 3, testObject],
    strings: [/* optional, emptied */ 9, checkMapsStrings],
    values: [/* filled */ 16, checkMapsValues, () => ({})],
    lists: [/* optional */ 1, checkMapsLists],
  },
);
const testIntegerFrom2147483648UpTo2147483647: Test = { expected: "an integer from -2147483648 up to 2147483647", holds: (v) => isInteger(v, -2147483648, 2147483647) };
const checkOpen: Check = /* @__PURE__ */ struct({ code: testIntegerFrom2147483648UpTo2147483647 });
export const checks: Record<string, Check> = {
  "Value": checkValue,
  "Maps": checkMaps,
  "Open": checkOpen,
};
