import { type Check, type Run, anyTag, fail, failAt, isObject } from "../../runtime/checks.js";

function checkTextContent(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.text !== "string") return failAt(run, v, "text", "a string");
  return true;
}

function checkImageContent(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  if (typeof v.data !== "string") return failAt(run, v, "data", "a string");
  if (typeof v.mimeType !== "string") return failAt(run, v, "mimeType", "a string");
  return true;
}

function checkContentBlock(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  switch (v.type) {
    case "text":
      return checkTextContent(v, run);
    case "image":
      return checkImageContent(v, run);
  }
  return anyTag(v, run, "type");
}

export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "ImageContent": checkImageContent,
  "ContentBlock": checkContentBlock,
};
