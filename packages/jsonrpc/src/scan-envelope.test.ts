import { linkedTransports } from "@acp-kit/jsonrpc";
import { type ScannedMessage, scanEnvelope } from "@acp-kit/jsonrpc/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** The members that a receiver reads. */
function read({ jsonrpc, id, method, params, result, error }: ScannedMessage): object {
  return { jsonrpc, id, method, params, result, error };
}

describe("proxy.scanner: members of a message in its text", () => {
  test.each([
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","text":"}\\"]\\\\"}}',
    ' { "id" : 12 , "jsonrpc":"2.0", "method":"a" }\t',
    '{"jsonrpc":"2.0","id":null,"result":null}',
    '{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no"},"more":[1,{"a":"]"}]}',
    '{"jsonrpc":"2.0","id":-7,"result":[[],{}," \\u2028 "]}',
    '{"__proto__":{"method":"x"},"jsonrpc":"2.0","method":"_a","params":[]}',
  ])("%s", (text) => {
    const scanned = scanEnvelope(text);
    expect(scanned && read(scanned)).toEqual(read(JSON.parse(text)));
    const { more: _, __proto__: __, ...members } = JSON.parse(text);
    expect(JSON.parse(JSON.stringify(scanned))).toEqual(members);
    expect(Object.hasOwn(scanned ?? {}, "id")).toBe(text.includes('"id"'));
  });

  test.each([
    ["repeated members", '{"jsonrpc":"2.0","method":"a","method":"b"}'],
    ["repeated params", '{"jsonrpc":"2.0","method":"a","params":{},"params":[]}'],
    ["names in another case", '{"jsonrpc":"2.0","method":"a","Method":"b"}'],
    ["escaped names", '{"jsonrpc":"2.0","\\u006dethod":"a"}'],
    ["an escaped method", '{"jsonrpc":"2.0","method":"\\u0061"}'],
    ["an escaped id", '{"jsonrpc":"2.0","id":"\\u0061","method":"a"}'],
    ["an inexact id", '{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}'],
    ["a fraction as an id", '{"jsonrpc":"2.0","id":1.0,"method":"a"}'],
    ["two forms", '{"jsonrpc":"2.0","id":1,"result":1,"error":{}}'],
    ["no form", '{"jsonrpc":"2.0","id":1}'],
    ["a response without an id", '{"jsonrpc":"2.0","result":1}'],
    ["another version", '{"jsonrpc":"1.0","method":"a"}'],
    ["no version", '{"method":"a"}'],
    ["a list", '[{"jsonrpc":"2.0","method":"a"}]'],
    ["several lines", '{"jsonrpc":"2.0",\n"method":"a"}'],
    ["a text after it", '{"jsonrpc":"2.0","method":"a"} {}'],
    ["a comma at the end", '{"jsonrpc":"2.0","method":"a",}'],
    ["an open string", '{"jsonrpc":"2.0","method":"a'],
    ["an open object", '{"jsonrpc":"2.0","method":"a","params":{'],
    ["a text without values", '{"jsonrpc":"2.0","method":}'],
    ["an empty text", ""],
  ])("are not reported for %s", (_, text) => {
    expect(scanEnvelope(text)).toBeUndefined();
  });

  test("are what JSON.parse finds, whatever the text is, or nothing is reported", () => {
    const names = [
      "jsonrpc",
      "id",
      "method",
      "params",
      "result",
      "error",
      "Method",
      "x",
      "",
      "\\u0069d",
      'a\\"b',
      "__proto__",
    ];
    const value = fc.oneof(
      fc.constantFrom(
        '"2.0"',
        "1",
        "null",
        '"session/update"',
        '"a\\\\"',
        '"}"',
        '"\\""',
        "{}",
        "[]",
        "-0",
        "1e3",
        "tru",
      ),
      fc.jsonValue().map((each) => JSON.stringify(each)),
    );
    const member = fc.tuple(fc.constantFrom(...names), value).map(([name, json]) => `"${name}":${json}`);
    const valid = fc
      .tuple(
        fc.constantFrom('"method":"a"', '"id":1,"method":"b"', '"id":"x","result":7', '"id":2,"error":{}'),
        fc.array(member),
      )
      .map(([form, others]) => `{"jsonrpc":"2.0",${[form, ...others].join(",")}}`);
    const mutated = fc
      .tuple(valid, fc.nat(), fc.nat(3), fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", " ", "a"))
      .map(([text, at, cut, inserted]) => {
        const begin = at % (text.length + 1);
        return text.slice(0, begin) + inserted + text.slice(begin + cut);
      });
    let reported = 0;
    fc.assert(
      fc.property(fc.oneof(valid, mutated), (text) => {
        const scanned = scanEnvelope(text);
        if (scanned === undefined) return;
        let parsed: ScannedMessage;
        try {
          parsed = JSON.parse(text);
        } catch {
          return; // a receiver refuses the whole text
        }
        reported += 1;
        expect(read(scanned)).toEqual(read(parsed));
        const own = ["id", "method"].filter((name) => Object.hasOwn(scanned, name));
        expect(own).toEqual(["id", "method"].filter((name) => Object.hasOwn(parsed, name)));
        for (const name of ["result", "error"]) expect(name in scanned).toBe(Object.hasOwn(parsed, name));
      }),
      { numRuns: 5_000 },
    );
    expect(reported).toBeGreaterThan(200);
  });

  test("take time in proportion to the length, also of quotes, backslashes and brackets", () => {
    for (const piece of ['\\"', "\\\\", "[]", '"a",', " "]) {
      const body = piece === "[]" || piece === '"a",' ? `[${piece.repeat(50_000)}0]` : `"${piece.repeat(50_000)}"`;
      expect(scanEnvelope(`{"jsonrpc":"2.0","method":"a","params":${body}}`)?.method).toBe("a");
    }
  });
});

test("a scanned message can be sent through a transport of values", async () => {
  const [a, b] = linkedTransports();
  const received = new Promise((resolve) => b.start({ message: resolve, malformed() {}, ended() {}, failed() {} }));
  a.start({ message() {}, malformed() {}, ended() {}, failed() {} });
  const text = '{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":2}}';
  a.send(scanEnvelope(text) as never, text);
  expect(await received).toEqual(JSON.parse(text));
});
