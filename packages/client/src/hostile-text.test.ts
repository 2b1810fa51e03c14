import { RpcError } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { Dialects } from "./dialect/dialects.js";
import { readError } from "./dialect/error-dialects.js";
import { UpdateDialects } from "./dialect/update-dialects.js";
import { fileUri, nameOf } from "./prompt/file-uri.js";
import { mimeTypeOf } from "./prompt/mime-type.js";

// At this length, quadratic work would take minutes for each of these.
const size = 2_000_000;
const dialects = new Dialects(true, () => {});

describe("texts of an agent are read in linear time", () => {
  test.each([
    ["dots", ".".repeat(size)],
    ["names with an end", ".a".repeat(size)],
    ["a name without an end", `.${"a".repeat(size)}/`],
    ["a scheme", "a".repeat(size)],
    ["questions", `a:${"?#".repeat(size)}\n`],
    ["slashes", "/".repeat(size)],
    ["backslashes", `${"\\".repeat(size)}x`],
    ["a server and a line", `\\\\${"a".repeat(size)}\\\n\n`],
  ])("hostile.linear-text: paths and URIs of %s", (_, text) => {
    expect(nameOf(text).length).toBeLessThanOrEqual(text.length);
    expect(mimeTypeOf(text)).toBeUndefined();
    if (/^(\/|\\\\)/.test(text)) expect(fileUri(text)).toMatch(/^file:/);
  });

  test.each([
    ["session ", "session ".repeat(size / 8)],
    ["no ", "no ".repeat(size)],
    ["unknown ", "unknown ".repeat(size)],
    ["objects", `{"a":`.repeat(size)],
    ["spaces and an object", `${" ".repeat(size)}{`],
  ])("hostile.linear-text: errors of %s", (_, message) => {
    const error = new RpcError(-32603, message, { data: { details: message } });
    expect(readError(dialects, "session/load", error)).toBe(error);
  });

  test("an error message that is JSON is read up to a limit", () => {
    const inner = (length: number) => JSON.stringify({ error: { message: "x".repeat(length) } });
    const read = (message: string) => readError(dialects, "session/new", new RpcError(-32603, message)).message;
    expect(read(inner(60_000))).toBe(`${"x".repeat(2_000)}…`);
    expect(read(inner(70_000))).toBe(inner(70_000));
  });

  test("hostile.linear-text: a mode in a message", () => {
    const text = `[MODE_UPDATE] ${"a".repeat(size)} `;
    const params = {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    };
    expect(new UpdateDialects(dialects, false).before(params)).toBe(params);
  });
});
