import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RepeatedMessage } from "./repeated-message.js";

/** Parses lines as the reader does. Returns the values, and the number of lines for which `JSON.parse` was not needed. */
function parse(lines: readonly string[]): { readonly values: unknown[]; readonly repetitions: number } {
  const repeated = new RepeatedMessage();
  let repetitions = 0;
  const values = lines.map((line) => {
    const known = repeated.parse(line);
    if (known !== undefined) {
      repetitions += 1;
      return known;
    }
    try {
      const value: unknown = JSON.parse(line);
      repeated.learn(line);
      return value;
    } catch {
      return "not JSON";
    }
  });
  return { values, repetitions };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return "not JSON";
  }
}

const chunk = (text: string, rest: object = {}, sessionId = "s"): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...rest } },
  });

describe("messages that repeat the previous one except for a text", () => {
  it("are parsed without JSON.parse from the third on", () => {
    const lines = ["one", "two", "three", "four\n\u0000\u2028", "", '"five" \\', "\ud800"].map((text) => chunk(text));
    expect(parse(lines)).toEqual({ values: lines.map(parsed), repetitions: 5 });
  });

  it.each([
    ["an id after the text", (text: string) => chunk(text, { messageId: "m1" })],
    ["carriage returns", (text: string) => `${chunk(text)}\r`],
    [
      "white space",
      (text: string) => JSON.stringify({ a: { text: "" } }, undefined, 1).replace('"text": ""', `"text":"${text}"`),
    ],
    ["a member called __proto__ beside the text", (text: string) => `{"__proto__":1,"a":{"text":"${text}"}}`],
    ["a name that only ends in text", (text: string) => `{"\\"text":"${text}"}`],
  ])("may have %s", (_, line) => {
    const lines = ["one", "two", "three"].map(line);
    expect(parse(lines)).toEqual({ values: lines.map(parsed), repetitions: 1 });
  });

  it.each([
    ["an object beside the text, because messages would share it", (text: string) => chunk(text, { _meta: { a: 1 } })],
    ["an array around the text", (text: string) => JSON.stringify([{ text }])],
    ["a member called __proto__ around the text", (text: string) => `{"__proto__":{"text":"${text}"}}`],
    ["a text in another member", (text: string) => `{"a":{"text":"one"},"text":"${text}"}`],
    ["a text that a later member with its name replaces", (text: string) => `{"a":{"text":"${text}"},"a":1}`],
    ["more than 2,048 characters", (text: string) => chunk(text, { title: "x".repeat(2_048) })],
  ])("are left to JSON.parse if they have %s", (_, line) => {
    const lines = ["one", "two", "three", "four"].map(line);
    expect(parse(lines)).toEqual({ values: lines.map(parsed), repetitions: 0 });
  });

  it("share no object with each other", () => {
    const lines = ["one", "two", "three", "four"].map((text) => chunk(text));
    const [, , third, fourth] = parse(lines).values as { params: { update: { content: object } } }[];
    expect(third?.params).not.toBe(fourth?.params);
    expect(third?.params.update).not.toBe(fourth?.params.update);
    expect(third?.params.update.content).not.toBe(fourth?.params.update.content);
  });

  it("are found again after many messages that repeat nothing", () => {
    const others = Array.from({ length: 1_000 }, () => chunk("same", { _meta: { a: 1 } }));
    const lines = [...others, ...Array.from({ length: 100 }, (_, number) => chunk(`text ${number}`))];
    const { values, repetitions } = parse(lines);
    expect(values).toEqual(lines.map(parsed));
    expect(repetitions).toBeGreaterThan(30);
  });

  it("keep their pattern while messages that have none come between them", () => {
    const lines = [
      chunk("one"),
      chunk("two"),
      ...Array.from({ length: 3 }, () => chunk("same", { _meta: { a: 1 } })),
      chunk("three"),
    ];
    expect(parse(lines)).toEqual({ values: lines.map(parsed), repetitions: 1 });
  });

  it("are no pattern once the parser has forgotten the first one", () => {
    const repeated = new RepeatedMessage();
    for (const text of ["one", "two", "three"]) {
      expect(repeated.parse(chunk(text))).toBeUndefined();
      repeated.learn(chunk(text));
      repeated.forget();
    }
  });

  it("have the same value as with JSON.parse, whatever a peer sends between them", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom('","x":"', '"},"text":"', '\\","text":"', "\\", '"}}}}', '{"text":"'),
    );
    const line = fc.oneof(
      fc
        .tuple(
          text,
          fc.constantFrom({}, { messageId: "m" }, { text: 1 }, { _meta: { text: "t" } }),
          fc.constantFrom("s", "r"),
        )
        .map((parts) => chunk(...parts)),
      fc.tuple(text, text).map(([a, b]) => `{"a":{"text":"${a}"},"text":"${b}"}`),
      text.map((raw) => chunk("@").replace("@", () => raw)),
      fc.tuple(text, fc.nat(200)).map(([raw, at]) => chunk(raw).slice(0, at)),
    );
    const lines = fc.array(fc.tuple(line, fc.integer({ min: 1, max: 3 })), { maxLength: 12 });
    fc.assert(
      fc.property(lines, (some) => {
        const all = some.flatMap(([one, times]) => Array.from({ length: times }, () => one));
        expect(JSON.stringify(parse(all).values)).toBe(JSON.stringify(all.map(parsed)));
      }),
      { numRuns: 500 },
    );
  });
});
