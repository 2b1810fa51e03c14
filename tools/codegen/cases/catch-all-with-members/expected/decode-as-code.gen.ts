import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkCommand(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.name !== "string") return failAt(run, v, "name", "a string");
  return true;
}

function checkAvailableCommandOther(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.name !== "string") return failAt(run, v, "name", "a string");
  return true;
}

function checkAvailableCommand(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.type) {
    case "command":
      return checkCommand(v, run);
  }
  return anyTag(v, run, "type") && checkAvailableCommandOther(v, run);
}

export const checks: Record<string, Check> = {
  "Command": checkCommand,
  "AvailableCommand": checkAvailableCommand,
};
