import { type Check, type Test, isDateTime, isInteger, isLongString, isNumber, isUri, struct } from "../../runtime/checks.js";

const testAbsoluteURI: Test = { expected: "an absolute URI", holds: (v) => isUri(v) };
const testRFC3339DateTime: Test = { expected: "an RFC 3339 date-time", holds: (v) => isDateTime(v) };
const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const testNonEmptyString: Test = { expected: "a non-empty string", holds: (v) => isLongString(v, 1) };
const testIntegerFrom1UpTo65535: Test = { expected: "an integer from 1 up to 65535", holds: (v) => isInteger(v, 1, 65535) };
const testIntegerFrom0UpTo4294967295: Test = { expected: "an integer from 0 up to 4294967295", holds: (v) => isInteger(v, 0, 4294967295) };
const testIntegerFrom2147483648UpTo2147483647: Test = { expected: "an integer from -2147483648 up to 2147483647", holds: (v) => isInteger(v, -2147483648, 2147483647) };
const testIntegerFrom0: Test = { expected: "an integer from 0", holds: (v) => isInteger(v, 0) };
const testInteger: Test = { expected: "an integer", holds: (v) => isInteger(v) };
const testNumberFrom0UpTo1: Test = { expected: "a number from 0 up to 1", holds: (v) => isNumber(v, 0, 1) };
const checkFormats: Check = /* @__PURE__ */ struct(
  {
    url: testAbsoluteURI,
    title: testNonEmptyString,
    port: testIntegerFrom1UpTo65535,
    code: testIntegerFrom2147483648UpTo2147483647,
    size: testIntegerFrom0,
    offset: testInteger,
    ratio: testNumberFrom0UpTo1,
  },
  { at: testRFC3339DateTime },
  {
    pattern: [/* optional */ 1, testString],
    line: [/* optional, nullable */ 3, testIntegerFrom0UpTo4294967295],
  },
);
export const checks: Record<string, Check> = {
  "Formats": checkFormats,
};
