import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkTextContent(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.text !== "string") return failAt(run, v, "text", "a string");
  return true;
}

function checkBlock(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.type) {
    case "text":
      return checkTextContent(v, run);
  }
  return anyTag(v, run, "type");
}

export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "Block": checkBlock,
};
