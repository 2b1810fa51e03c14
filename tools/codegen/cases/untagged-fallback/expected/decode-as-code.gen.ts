import { type Check, type Run, fail, failAt, isObject, orUntagged, untaggedOr } from "../../runtime/checks.js";

function checkHttp(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.url !== "string") return failAt(run, v, "url", "a string");
  return true;
}

function checkStdio(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.command !== "string") return failAt(run, v, "command", "a string");
  return true;
}

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
