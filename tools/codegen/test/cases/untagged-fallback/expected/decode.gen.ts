import { type Check, type Run, type Test, fail, isObject, orUntagged, struct, untaggedOr } from "../../runtime/checks.js";

const testString: Test = { expected: "a string", holds: (v) => typeof v === "string" };
const checkHttp: Check = /* @__PURE__ */ struct({ url: testString });
const checkStdio: Check = /* @__PURE__ */ struct({ command: testString });
function checkServer(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  const start = run.n;
  switch (v.type) {
    case "http":
      return checkHttp(v, run) || orUntagged(v, run, "type", start, checkStdio);
  }
  return untaggedOr(v, run, "type", start, checkStdio, "stdio");
}
export const checks: Record<string, Check> = {
  "Http": checkHttp,
  "Stdio": checkStdio,
  "Server": checkServer,
};
