import { PassThrough } from "node:stream";
import { connectAgent, type Diagnostic } from "@acp-kit/client";
import type { Transport } from "@acp-kit/protocol";
import { byteTransport } from "@acp-kit/stdio";
import { nodeTransport } from "@acp-kit/stdio/node";
import { describe, expect, it } from "vitest";
import { transports } from "./harness/connect.js";
import { connectRaw, rawAgent } from "./harness/raw-agent.js";
import { promptOf, rawClientWithSession } from "./harness/raw-client.js";
import { isResponse, says, stopReason } from "./harness/wire.js";

const noise = [
  "Welcome to the agent v1.2.3!",
  "(node:1234) ExperimentalWarning: SQLite is an experimental feature",
  "    at Object.<anonymous> (/agent/index.js:1:1)",
  '{"jsonrpc":"2.0","method":"session/upd',
  "\u001b[32m✔\u001b[0m ready",
  "",
  "   \t ",
  "[object Object]",
  "undefined",
  "��� not UTF-8 any more",
];

/** Valid JSON that is not JSON-RPC: log lines of pino, and small values printed by `console.log`. */
const jsonNoise = [
  '{"level":30,"time":1700000000000,"pid":7,"hostname":"host","msg":"ready"}',
  '{"level":30,"req":{"id":1,"method":"GET"},"id":1,"method":"GET","msg":"request"}',
  '{"level":50,"id":1,"err":{"type":"Error","message":"failed"},"msg":"failed"}',
  "42",
  '"done"',
  "null",
  "[]",
  "[1,2,3]",
  "{}",
];

describe("over a child process", () => {
  it("noise.skipped-and-reported: TRANS-16 banners, warnings, incomplete lines and JSON log lines on stdout are skipped and reported, and get no response", async () => {
    const diagnostics: Diagnostic[] = [];
    await using agent = await rawAgent("a child process");
    agent.write(`\ufeff${[...noise, ...jsonNoise].join("\n")}\r\n`);
    const connecting = connectAgent(agent.transport, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const client = await connecting;
    const session = await client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", (request) => {
      for (const line of [...noise, ...jsonNoise]) {
        agent.write(`${line}\n`);
        agent.peer.say("s1", "between");
      }
      agent.peer.respond(request, { stopReason: "end_turn" });
      return undefined;
    });
    let between = 0;
    for await (const _ of session.prompt("go")) between += 1;
    expect(between).toBe(noise.length + jsonNoise.length);
    const text = noise.filter((line) => line.trim() !== "");
    const reported = [...text.map(() => "malformed_input"), ...jsonNoise.map(() => "invalid_message")];
    expect(diagnostics.map(({ code }) => code)).toEqual([...reported, ...reported]);
    const malformed = diagnostics.filter(({ code }) => code === "malformed_input").slice(-text.length);
    expect(malformed.map(({ data }) => (data as { excerpt: string }).excerpt)).toEqual(text);
    expect(agent.peer.received.items.filter(isResponse)).toEqual([]);
    await client.close();
  });

  it("noise.separators: TRANS-01 TRANS-03 TRANS-13 only a newline ends a line, for any text that is split at any byte", async () => {
    const text = 'a\u2028b\u2029c\r\n\t\u0000\u0085 🎉 é \\n "q" \ud800';
    await using agent = await connectRaw("a child process");
    const session = await agent.client.newSession({ cwd: "/work" });
    agent.peer.answer("session/prompt", (request) => {
      // U+2028 and U+2029 unescaped, as JSON allows.
      const line = JSON.stringify({
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
      });
      for (const character of line) agent.write(character);
      agent.write("\r\n");
      agent.peer.respond(request, { stopReason: "end_turn" });
      return undefined;
    });
    const texts: string[] = [];
    for await (const update of session.prompt(text)) texts.push((update as { content: { text: string } }).content.text);
    expect(texts).toEqual([text]);
    const prompt = agent.peer.received.items.find(({ method }) => method === "session/prompt");
    expect(prompt?.params).toMatchObject({ prompt: [{ text }] });
  });

  it("noise.agent-answers: RPC-13 TRANS-16 an agent responds with -32700 to input that is not JSON and continues", async () => {
    await using client = await rawClientWithSession("a child process");
    const { peer } = client;
    client.write('{"jsonrpc":\n\r\n\n');
    expect(await peer.received.until(({ id }) => id === null)).toMatchObject({ id: null, error: { code: -32700 } });
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
    expect(peer.received.items.filter(({ id }) => id === null)).toHaveLength(1);
  });
});

describe.each(transports)("over %s", (kind) => {
  it("noise.no-messages: RPC-12 RPC-14 JSON that is not a JSON-RPC message gets -32600, with the id if there is one, and the connection stays open", async ({
    skip,
  }) => {
    skip(kind === "streamable HTTP", "A3: such a POST is refused with 400, before the agent; see acp-handler.test.ts");
    await using client = await rawClientWithSession(kind);
    const { peer } = client;
    const values: [unknown, unknown][] = [
      [42, null],
      ["x", null],
      [null, null],
      [{}, null],
      [[{ jsonrpc: "2.0", id: 1, method: "session/list" }], null],
      [{ jsonrpc: "1.0", id: 71, method: "session/list" }, 71],
      [{ jsonrpc: "2.0", id: 72, method: 5 }, 72],
      [{ jsonrpc: "2.0", id: {}, method: "session/list" }, null],
      [{ jsonrpc: "2.0", id: 1.5, method: "session/list" }, null],
    ];
    for (const [value, id] of values) {
      const before = peer.received.items.length;
      peer.sendValue(value);
      await peer.fence();
      const answers = peer.received.items.slice(before).filter(isResponse).slice(0, -1);
      expect(answers, JSON.stringify(value)).toMatchObject([{ id, error: { code: -32600 } }]);
    }
    expect(stopReason(await peer.request("session/prompt", promptOf("say hello")))).toBe("end_turn");
    expect(peer.received.items.some(says("hello"))).toBe(true);
  });
});

type Message = Parameters<Transport["send"]>[0];

/** Returns the bytes that a transport writes for a message. */
const writers = {
  async "Node streams"(message: Message) {
    let text = "";
    const output = new PassThrough().setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    const transport = nodeTransport(new PassThrough(), output);
    transport.send(message);
    await transport.close();
    return text;
  },
  async "web streams of bytes"(message: Message) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const text = new Response(readable).text();
    const transport = byteTransport({ readable: new ReadableStream(), writable });
    transport.send(message);
    await transport.close();
    return text;
  },
};

it.each(Object.entries(writers))(
  "noise.separators-escaped: U+2028 and U+2029 are sent as escapes over %s, because the line reader of a peer may split lines there",
  async (_, write) => {
    const text = "a\u2028b\u2029c é";
    const line = await write({ jsonrpc: "2.0", method: "m", params: { [text]: [text] } });
    expect(line.split(/[\n\u2028\u2029]/)).toEqual([expect.stringContaining("a\\u2028b\\u2029c é"), ""]);
    expect(JSON.parse(line)).toMatchObject({ params: { [text]: [text] } });
  },
);
