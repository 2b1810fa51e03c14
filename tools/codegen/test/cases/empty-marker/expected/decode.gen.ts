import { type Check, type Test, isObject, struct } from "../../runtime/checks.js";

const checkNoticeCapabilities: Check = /* @__PURE__ */ struct({});
const testObject: Test = { expected: "an object", holds: (v) => isObject(v) };
const checkListCapabilities: Check = /* @__PURE__ */ struct({}, { _meta: testObject });
const checkCapabilities: Check = /* @__PURE__ */ struct(
  {},
  {},
  {
    notices: [/* optional, nullable */ 3, checkNoticeCapabilities],
    list: [/* optional, nullable */ 3, checkListCapabilities],
  },
);
export const checks: Record<string, Check> = {
  "NoticeCapabilities": checkNoticeCapabilities,
  "ListCapabilities": checkListCapabilities,
  "Capabilities": checkCapabilities,
};
