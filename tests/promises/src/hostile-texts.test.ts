import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { Connection, type MalformedInput, type Transport, type TransportReceiver } from "@acp-kit/jsonrpc";
import { isAbsolutePath } from "@acp-kit/protocol/internal";
import { MessageReader } from "@acp-kit/stdio";
import { formatPath } from "@acp-kit/types/decode";
import { isDateTime, isLongString, isUri } from "@acp-kit/types/internal";
import { describe, expect, it } from "vitest";

type Parts = readonly [begin: string, unit: string, end: string];

const textOf = ([begin, unit, end]: Parts, units: number): string => begin + unit.repeat(units) + end;

/** A connection whose transport reports this excerpt of a message that was too large; what is sent to the peer. */
function answersTo(excerpt: string): object[] {
  const sent: object[] = [];
  let receiver: TransportReceiver | undefined;
  const transport: Transport = {
    start(of) {
      receiver = of;
    },
    send(message) {
      sent.push(message);
      return 0;
    },
    full: undefined,
    pause() {},
    resume() {},
    close: async () => {},
  };
  new Connection(transport).listen();
  receiver?.malformed({ kind: "too_large", message: "too large", excerpt, size: excerpt.length });
  return sent;
}

/** The kinds of malformed input that a reader of bytes finds in a text. */
function kindsIn(text: string): string[] {
  const kinds: string[] = [];
  const reader = new MessageReader({ message() {}, malformed: ({ kind }: MalformedInput) => void kinds.push(kind) });
  reader.push(new TextEncoder().encode(text));
  reader.end();
  return [...new Set(kinds)];
}

describe("hostile.linear-patterns: every pattern that reads a peer's text takes linear time on its worst input", () => {
  it.each([
    ["an id of digits", '{"jsonrpc":"2.0","id":', "1", "x"],
    ["an id without an end", '{"id":"', "a", ""],
    ["an id with many escapes", '{"id":"', "\\\\", "x"],
    ["a method with many escapes", '{"method":"', '\\"', '","id":'],
    ["spaces before the id", '{"jsonrpc":"2.0",', " ", '"id"'],
    ["spaces after the id", '{"id":1', "\t\n ", "x"],
    ["spaces at the beginning", "", " ", "x"],
    ["many jsonrpc members", "{", '"jsonrpc":"2.0",', "x"],
  ])("hostile.linear-patterns: the head of an oversized message, with %s", async (_, ...parts) => {
    const nobody = [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "too large" } }];
    expect(answersTo(textOf(parts, 1_000))).toEqual(nobody);
    expect(await growthOf((size) => answersTo(textOf(parts, size)))).toBeLessThan(LINEAR);
  });

  it.each([
    ["a first line with many header names", "", "content-length", "", ["not_json"]],
    ["a first line with many spaces after a header name", "content-length", " \t", "x", ["not_json"]],
    ["a header name without an end", "Content-Type: x\r\n", "a-", "", ["invalid_header"]],
    ["header names without a value", "Content-Type: x\r\n", "content-length ", "\r\n", ["invalid_header"]],
    ["many header names before a colon", "Content-Type: x\r\n", "x content-length: ", "\r\n", ["invalid_header"]],
    ["many spaces after a colon", "Content-Type: x\r\n?content-length:", " ", "x\r\n", ["invalid_header"]],
    ["a content length with many digits", "Content-Type: x\r\nContent-Length: ", "1", "\r\n", ["invalid_header"]],
    ["many header lines", "Content-Type: x\r\n", `x content-length: ${" ".repeat(8_000)}y\n`, "", ["invalid_header"]],
  ] as const)("hostile.linear-patterns: input with %s", async (_, begin, unit, end, kinds) => {
    expect(kindsIn(textOf([begin, unit, end], Math.ceil(2_000_000 / unit.length)))).toEqual(kinds);
    const work = (size: number) => kindsIn(textOf([begin, unit, end], Math.ceil(size / unit.length)));
    expect(await growthOf(work)).toBeLessThan(LINEAR);
  });

  it.each([
    ["a date-time's fraction", isDateTime, "2026-01-01T00:00:00.", "0", "x"],
    ["a date-time of digits", isDateTime, "", "1", ""],
    ["a URI without a scheme", isUri, "", "a", " "],
    ["a URI of dots", isUri, "x://", "a.", "[%"],
    ["a text's length", (text: string) => !isLongString(text, 1), "", "😀", ""],
    ["a path", isAbsolutePath, "", "C:", "\\"],
    ["a path of dots", isAbsolutePath, ".", "./", ""],
    ["a member's name", (text: string) => formatPath([text]) === text, "", "a", "."],
  ] as const)("hostile.linear-patterns: %s", async (_, test, begin, unit, end) => {
    const holds: (text: string) => boolean = test;
    const work = (size: number) => expect(holds(textOf([begin, unit, end], size))).toBe(false);
    expect(await growthOf(work)).toBeLessThan(LINEAR);
  });
});
