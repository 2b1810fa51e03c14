import { type Check, type Run, anyTag, fail, failAt, inside, isObject, list, record } from "../../runtime/checks.js";

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

function checkChunk(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  if (typeof v.messageId !== "string") return failAt(run, v, "messageId", "a string");
  t = v.content;
  if (!checkBlock(t, run)) return inside(run, "content");
  return true;
}

function checkMessage(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.chunks;
  if (!list(t, run, checkChunk)) return inside(run, "chunks");
  t = v.byName;
  if (t !== undefined && !record(t, run, checkBlock)) return inside(run, "byName");
  t = v.last;
  if (t != null && !checkChunk(t, run)) return inside(run, "last");
  return true;
}

function checkUnrelated(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.name;
  if (t !== undefined && typeof t !== "string") return failAt(run, v, "name", "a string");
  return true;
}

export const checks: Record<string, Check> = {
  "TextContent": checkTextContent,
  "Block": checkBlock,
  "Chunk": checkChunk,
  "Message": checkMessage,
  "Unrelated": checkUnrelated,
};
