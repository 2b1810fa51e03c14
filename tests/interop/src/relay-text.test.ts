import { PassThrough } from "node:stream";
import { bridgeTransports } from "@acp-kit/http";
import { nodeTransport } from "@acp-kit/stdio/node";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Returns what a relay between two pairs of byte streams writes when it has read the lines. */
async function relayed(lines: readonly string[]): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const other = new PassThrough();
  const bridge = bridgeTransports(nodeTransport(input, new PassThrough()), nodeTransport(other, output));
  for (const line of lines) input.write(`${line}\n`);
  input.end();
  await bridge.closed;
  const read: unknown = output.read();
  return Buffer.isBuffer(read) ? read.toString() : "";
}

test("proxy.text: a relay between transports of bytes forwards the text of messages", async () => {
  const lines = [
    '{"jsonrpc": "2.0","id":1,"method":"_x","params":{"n":12345678901234567890,"a":1,"a":2,"s":"\\ud800\\u0061"}}',
    '{"id":null,"error":{"code":-1,"message":"no","data":1.0},"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","method":"session/update","unknown":[ ]}',
  ];
  expect(await relayed(lines)).toBe(`${lines.join("\n")}\n`);
});

test("proxy.text-same-message: a relay forwards an ambiguous message as the value that JSON.parse finds", async () => {
  const ambiguous = '{"jsonrpc":"2.0","method":"a","Method":"b","method":"c"}';
  expect(await relayed([ambiguous, '["not","a","message"]', "no JSON"])).toBe(
    '{"jsonrpc":"2.0","method":"c","Method":"b"}\n',
  );
});

test("proxy.text: any JSON in a message passes a relay unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.json(), { minLength: 1 }), async (values) => {
      const lines = values.map((json) => `{"jsonrpc":"2.0","id":"a","result":${json}}`);
      expect(await relayed(lines)).toBe(`${lines.join("\n")}\n`);
    }),
    { numRuns: 30 },
  );
});
