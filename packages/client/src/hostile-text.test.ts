import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { RpcError } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { Dialects } from "./dialect/dialects.js";
import { readError } from "./dialect/error-dialects.js";
import { UpdateDialects } from "./dialect/update-dialects.js";
import { fileUri, nameOf } from "./prompt/file-uri.js";
import { mimeTypeOf } from "./prompt/mime-type.js";

const dialects = new Dialects(true, () => {});

describe("texts of an agent are read in linear time", () => {
  test.each([
    ["dots", "", ".", ""],
    ["names with an end", "", ".a", ""],
    ["a name without an end", ".", "a", "/"],
    ["a scheme", "", "a", ""],
    ["questions", "a:", "?#", "\n"],
    ["slashes", "", "/", ""],
    ["backslashes", "", "\\", "x"],
    ["a server and a line", "\\\\", "a", "\\\n\n"],
  ])("hostile.linear-text: paths and URIs of %s", async (_, begin, unit, end) => {
    const read = (size: number): void => {
      const text = begin + unit.repeat(size) + end;
      expect(nameOf(text).length).toBeLessThanOrEqual(text.length);
      expect(mimeTypeOf(text)).toBeUndefined();
      if (/^(\/|\\\\)/.test(text)) expect(fileUri(text)).toMatch(/^file:/);
    };
    expect(await growthOf(read)).toBeLessThan(LINEAR);
  });

  test.each([
    ["session ", "session ", ""],
    ["no ", "no ", ""],
    ["unknown ", "unknown ", ""],
    ["objects", `{"a":`, ""],
    ["spaces and an object", " ", "{"],
  ])("hostile.linear-text: errors of %s", async (_, unit, end) => {
    const read = (size: number): void => {
      const message = unit.repeat(size) + end;
      const error = new RpcError(-32603, message, { data: { details: message } });
      expect(readError(dialects, "session/load", error)).toBe(error);
    };
    expect(await growthOf(read)).toBeLessThan(LINEAR);
  });

  test("an error message that is JSON is read up to a limit", () => {
    const inner = (length: number) => JSON.stringify({ error: { message: "x".repeat(length) } });
    const read = (message: string) => readError(dialects, "session/new", new RpcError(-32603, message)).message;
    expect(read(inner(60_000))).toBe(`${"x".repeat(2_000)}…`);
    expect(read(inner(70_000))).toBe(inner(70_000));
  });

  test("hostile.linear-text: a mode in a message", async () => {
    const read = (size: number): void => {
      const text = `[MODE_UPDATE] ${"a".repeat(size)} `;
      const params = {
        sessionId: "s",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
      };
      expect(new UpdateDialects(dialects, false).before(params)).toBe(params);
    };
    expect(await growthOf(read)).toBeLessThan(LINEAR);
  });
});
