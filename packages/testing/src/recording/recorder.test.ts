import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { Connection, linkedTransports, type TapEvent } from "@acp-kit/jsonrpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson } from "../../test/hostile.js";
import { lively } from "../../test/recordings.js";
import { readRecording } from "./read-recording.js";
import { type Recorder, recorder, recorderWith } from "./recorder.js";
import type { RecorderOptions } from "./recorder-options.js";
import { isRecordingError } from "./recording-error.js";
import { createReplayer } from "./replay/replayer.js";
import { runsOf } from "./runs.js";
import { memorySink } from "./sink.js";
import { watchMessages } from "./wire-recorder.js";

function record(action: (tape: Recorder) => void, options: Partial<RecorderOptions> = {}, maxTextChars?: number) {
  const sink = memorySink();
  const clock = { now: () => 0, date: () => new Date(0) };
  const tape = recorderWith({ in: "between", sink, clock, ...options }, maxTextChars);
  action(tape);
  return { text: sink.text(), tape, sink, ...readRecording(sink.text()) };
}

/** The outcome of recording one message. */
function recorded(message: unknown, options: Partial<RecorderOptions> = {}): unknown {
  const { entries } = record((tape) => tape.message("client", message), options);
  return (entries[0] as { message: unknown }).message;
}

describe("a recorder", () => {
  it("is the tap of a connection, and assigns messages to sides", async () => {
    const [a, b] = linkedTransports();
    const sink = memorySink();
    const tape = recorder({ in: "agent", sink });
    const client = new Connection(a);
    const agent = new Connection(b, { tap: tape });
    agent.onRequest("greet", () => "hello");
    client.listen();
    agent.listen();
    await client.request("greet", {});
    await client.close();
    await tape.close();
    const { header, entries } = readRecording(sink.text());
    expect(header).toMatchObject({
      acpRecording: 1,
      recordedIn: "agent",
      redacted: { secrets: true, fileContents: false },
    });
    expect(entries).toMatchObject([
      { kind: "message", from: "client", message: { method: "greet" } },
      { kind: "message", from: "agent", message: { result: "hello" } },
    ]);
  });

  it("writes every entry as one line, which reads back unchanged", () => {
    fc.assert(
      fc.property(fc.array(anyJson(), { maxLength: 8 }), fc.array(fc.string({ unit: "binary" })), (messages, lines) => {
        const { text, entries, problems } = record(
          (tape) => {
            for (const message of messages) tape.message("agent", message);
            for (const line of lines) tape.stderr(line);
          },
          { secrets: true },
        );
        expect(text.split("\n")).toHaveLength(messages.length + lines.length + 2);
        expect(problems).toEqual([]);
        const said = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
        expect(JSON.stringify(said)).toBe(JSON.stringify(messages));
      }),
    );
  });

  it("records the names and versions of the peers as soon as they are known", () => {
    expect(lively().entries.find(({ kind }) => kind === "peers")).toEqual({
      t: 110,
      kind: "peers",
      protocolVersion: 1,
      client: { name: "editor", version: "1.0" },
      agent: { name: "my-agent", version: "2.0" },
    });
  });

  it("never breaks the connection it records: a failing sink ends the recording", async () => {
    const errors: unknown[] = [];
    let left = 2;
    const write = (): void => {
      if (left-- === 0) throw new Error("disk full");
    };
    const tape = recorder({ in: "client", sink: { write }, onError: (error) => errors.push(error) });
    for (let n = 0; n < 5; n += 1) tape.message("client", { n });
    tape.message("client", { toJSON: () => undefined });
    await tape.close();
    expect(errors).toEqual([new Error("disk full")]);
  });
});

describe("secrets", () => {
  it("are hidden in the protocol's secret members, in members whose name indicates a secret, and in texts with a known form", () => {
    const key = "sk-abcdefghijklmnop1234";
    expect(
      recorded({
        method: "session/new",
        params: {
          mcpServers: [{ name: "x", env: [{ name: "A", value: "secret" }], headers: [{ name: "B", value: "secret" }] }],
          accessToken: "secret",
          nested: { "api-key": "secret", password: "", credentials: { user: "u" } },
          usage: { inputTokens: 12, outputTokens: 3 },
          text: `use ${key} and Bearer abc123def456 and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc, not the Basic ingredients`,
        },
      }),
    ).toEqual({
      method: "session/new",
      params: {
        mcpServers: [
          { name: "x", env: [{ name: "A", value: "[redacted]" }], headers: [{ name: "B", value: "[redacted]" }] },
        ],
        accessToken: "[redacted]",
        nested: { "api-key": "[redacted]", password: "", credentials: { user: "[redacted]" } },
        usage: { inputTokens: 12, outputTokens: 3 },
        text: "use [redacted] and Bearer [redacted] and [redacted], not the Basic ingredients",
      },
    });
  });

  it("are hidden in command lines, standard error and lines that are not JSON", () => {
    const { text } = record((tape) => {
      tape.process({
        event: "started",
        command: ["agent", "--api-key", "hunter2", "--token=hunter2", "https://me:hunter2@host/"],
      });
      tape.stderr("OPENAI_API_KEY=hunter2 and password: 'hunter2'");
      tape.noise("agent", "authorization: hunter2");
      tape.note("the token is: token=hunter2", { password: "hunter2" });
    });
    expect(text).not.toContain("hunter2");
    expect(text.match(/\[redacted\]/g)).toHaveLength(8);
  });

  it("are recorded with the option `secrets`, and the header states this", () => {
    const { text, header } = record((tape) => tape.stderr("API_KEY=hunter2"), { secrets: true });
    expect(text).toContain("hunter2");
    expect(header.redacted.secrets).toBe(false);
  });

  it.each(["a", "Bearer ", "token ", "x://a", '"'])("are searched for in linear time in a text of %j", async (unit) => {
    const search = (size: number): unknown => {
      const text = unit.repeat(size);
      return [record((tape) => tape.stderr(text), {}, 10_000_000), record((tape) => tape.message("client", { text }))];
    };
    expect(await growthOf(search)).toBeLessThan(LINEAR);
  });
});

describe("file contents", () => {
  it("are recorded by default; with fileContents: false, only their length is recorded", () => {
    const update = {
      method: "session/update",
      params: {
        sessionId: "s",
        update: {
          sessionUpdate: "tool_call",
          title: "Edit",
          content: [{ type: "diff", path: "/a", oldText: "abc", newText: "abcd" }],
          rawInput: { path: "/a", content: "abcd" },
        },
      },
    };
    expect(recorded(update)).toEqual(update);
    expect(recorded(update, { fileContents: false })).toMatchObject({
      params: {
        update: {
          title: "Edit",
          content: [{ path: "/a", oldText: "[redacted: 3 characters]", newText: "[redacted: 4 characters]" }],
          rawInput: { content: "[redacted: 4 characters]" },
        },
      },
    });
    const { text } = record(
      (tape) => {
        tape.message("agent", { id: 1, method: "fs/read_text_file", params: { path: "/a" } });
        tape.message("client", { id: 1, result: { content: "the content" } });
        tape.message("agent", { id: 2, method: "fs/write_text_file", params: { path: "/a", content: "the content" } });
        tape.message("agent", { id: 3, method: "terminal/output", params: { terminalId: "t" } });
        tape.message("client", { id: 3, result: { output: "the content", truncated: false } });
        tape.message("client", {
          id: 4,
          method: "session/prompt",
          params: {
            prompt: [
              { type: "text", text: "a prompt" },
              { type: "resource", resource: { uri: "file:///a", text: "the content" } },
              { type: "image", mimeType: "image/png", data: "the content" },
            ],
          },
        });
      },
      { fileContents: false },
    );
    expect(text).not.toContain("the content");
    expect(text).toContain("a prompt");
    const shown = { sessionUpdate: "terminal_update", terminalId: "t", command: "ls", output: { data: btoa("a.txt") } };
    for (const update of [shown, { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: btoa("a.txt") }]) {
      const hidden = recorded({ method: "session/update", params: { update } }, { fileContents: false });
      expect(JSON.stringify(hidden)).not.toContain(btoa("a.txt"));
      expect(JSON.stringify(hidden)).toContain(`"data":"${btoa("[redacted: 8 characters]")}"`);
    }
  });

  it("in the output of a tool are hidden, in its content and its _meta, where agents send them", () => {
    const update = {
      sessionUpdate: "tool_call_update",
      toolCallId: "call-1",
      title: "Read a.txt",
      content: [
        { type: "content", content: { type: "text", text: "the content" } },
        { type: "content", content: { type: "resource", resource: { uri: "file:///a", text: "the content" } } },
        { type: "terminal", terminalId: "t-1" },
      ],
      _meta: { own: { toolName: "Read", toolResponse: { file: { content: "the content" } } }, terminal_id: "t-1" },
    };
    const update2 = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a message" } };
    const { text } = record(
      (tape) => {
        for (const each of [update, update2])
          tape.message("agent", { method: "session/update", params: { sessionId: "s", update: each } });
        const params = { sessionId: "s", toolCall: update, options: [] };
        tape.message("agent", { id: 1, method: "session/request_permission", params });
        tape.message("client", { id: 9, error: { code: 1, message: "no", data: { newText: "the content" } } });
      },
      { fileContents: false },
    );
    expect(text).not.toContain("the content");
    for (const kept of ["Read a.txt", '"toolName":"Read"', '"terminalId":"t-1"', '"terminal_id":"t-1"', "a message"])
      expect(text).toContain(kept);
  });

  it("are hidden in responses to unknown requests, in lists of messages, and in messages that are cut off", () => {
    const file = "f".repeat(2_000);
    const { text } = record(
      (tape) => {
        tape.message("client", { id: 1, result: { content: file } });
        tape.message("client", { id: 2, result: { output: file } });
        tape.message("agent", [{ id: 3, method: "fs/write_text_file", params: { path: "/a", content: file } }]);
        tape.noise("client", `{"jsonrpc":"2.0","id":4,"result":{"content":"${file}`);
        const lines = watchMessages(tape, "agent", 1_500);
        const params = `{"path":"/a","content":"${file}"}`;
        lines.push(new TextEncoder().encode(`{"params":${params},"id":5,"method":"fs/write_text_file"}\nHello\n`));
      },
      { fileContents: false },
    );
    expect(text).not.toContain("fff");
    expect(text).toContain("Hello");
  });
});

describe("bounds", () => {
  it("reduce a large message to its outline", () => {
    const { entries, tape } = record(
      (tape) => {
        tape.message("agent", {
          jsonrpc: "2.0",
          id: 7,
          method: "session/update",
          params: { sessionId: "s", x: "x".repeat(1000) },
        });
        tape.message("agent", { jsonrpc: "2.0", id: 8, result: { stopReason: "end_turn", x: "x".repeat(1000) } });
      },
      { maxMessageBytes: 500 },
    );
    expect(entries).toEqual([
      {
        t: 0,
        kind: "message",
        from: "agent",
        leftOut: true,
        message: { jsonrpc: "2.0", id: 7, method: "session/update", params: { sessionId: "s" } },
      },
      {
        t: 0,
        kind: "message",
        from: "agent",
        leftOut: true,
        message: { jsonrpc: "2.0", id: 8, result: { stopReason: "end_turn" } },
      },
    ]);
    expect(tape.stats.leftOut).toBe(2);
  });

  it("count a message in bytes, not in characters", () => {
    const { tape } = record(
      (tape) => {
        tape.message("agent", { jsonrpc: "2.0", method: "a", params: { x: "€".repeat(100) } });
        tape.message("agent", { jsonrpc: "2.0", method: "b", params: { x: "x".repeat(100) } });
      },
      { maxMessageBytes: 300 },
    );
    expect(tape.stats.leftOut).toBe(1);
  });

  it("end a recording that gets too large; only process events are still recorded", async () => {
    const { sink, tape } = record(
      (tape) => {
        for (let n = 0; n < 100; n += 1) tape.message("client", { n });
        tape.process({ event: "exited", exitCode: 0, signal: null });
      },
      { maxRecordingBytes: 1_000 },
    );
    await tape.close();
    const { entries } = readRecording(sink.text());
    expect(sink.text().length).toBeLessThan(1_500);
    expect(entries.slice(-3)).toMatchObject([
      { kind: "left_out", entries: 0 },
      { kind: "process", event: "exited" },
      { kind: "left_out", reason: "recording_full", entries: tape.stats.leftOut },
    ]);
    expect(tape.stats.entries + tape.stats.leftOut).toBe(101);
  });

  it("name input that is not JSON as cut if only its beginning is known", () => {
    const malformed = (text: string, size: number): unknown =>
      record((tape) => tape({ direction: "received", message: text, size, malformed: true } as TapEvent)).entries[0];
    expect(malformed("x".repeat(200), 600)).toMatchObject({ kind: "noise", bytes: 600, cut: true });
    for (const text of ["x".repeat(200), "é😀".repeat(20), "a\ufffd"])
      expect(malformed(text, Buffer.byteLength(text) + 2)).not.toHaveProperty("cut");
  });

  it.each(["maxMessageBytes", "maxRecordingBytes"])("refuse NaN as %s", (limit) => {
    const create = (): Recorder => recorder({ in: "client", sink: memorySink(), [limit]: Number.NaN });
    expect(create).toThrow(`options.${limit} must be a number from 0 to Infinity, not NaN`);
  });

  it("cut long lines of standard error and long lines that are not JSON", () => {
    const { entries } = record(
      (tape) => {
        tape.stderr("x".repeat(100));
        tape.noise("agent", "y".repeat(100));
      },
      {},
      10,
    );
    expect(entries).toMatchObject([
      { text: "x".repeat(10), cut: true },
      { text: "y".repeat(10), cut: true },
    ]);
  });
});

describe("reading a recording", () => {
  const { text } = record((tape) => {
    for (let n = 0; n < 5; n += 1) tape.message("client", { n, text: "žluťoučký 🐎" });
  });

  it("returns the complete lines of a recording that is cut anywhere", () => {
    const whole = readRecording(text).entries;
    for (let length = text.indexOf("\n"); length <= text.length; length += 1) {
      const { entries, problems } = readRecording(text.slice(0, length));
      expect(entries).toEqual(whole.slice(0, entries.length));
      expect(problems.map(({ kind }) => kind)).toEqual(problems.length === 0 ? [] : ["torn"]);
      expect(entries.length + problems.length).toBeGreaterThanOrEqual(text.slice(0, length).split("\n").length - 2);
    }
  });

  it("skips invalid lines, and lists them", () => {
    const lines = text.split("\n");
    lines.splice(2, 0, "garbage", '{"t":1,"kind":"of another version"}', "", "[]");
    const { entries, problems } = readRecording(lines.join("\n"));
    expect(entries).toHaveLength(5);
    expect(problems.map(({ line, kind }) => `${line} ${kind}`)).toEqual(["3 not_json", "4 unknown", "6 unknown"]);
  });

  it.each([
    ["", "empty"],
    ["hello\n", "not_a_recording"],
    ["{}\n", "not_a_recording"],
    ['{"acpRecording":"x"}\n', "not_a_recording"],
    ['{"acpRecording":2}\n', "newer_version"],
  ])("refuses %j: %s", (text, code) => {
    let error: unknown;
    try {
      readRecording(text);
    } catch (caught) {
      error = caught;
    }
    expect(isRecordingError(error) && error.code).toBe(code);
  });

  it("also reads the format of simple taps, and messages without a header", () => {
    const tap = [
      { t: 0, dir: "meta", event: "spawn", agent: "x", command: ["x", "--acp"] },
      { t: 1, dir: "c2a", msg: { id: 0, method: "initialize" } },
      { t: 2, dir: "a2c", raw: "{this is not json" },
      { t: 3, dir: "meta", event: "client sent SIGTERM" },
      { t: 4, dir: "meta", event: "client closed stdin" },
      { t: 5, dir: "meta", event: "exit", code: null, signal: "SIGTERM" },
      { t: 6, dir: "meta", event: "summary", updates: 3 },
    ];
    expect(readRecording(tap.map((line) => JSON.stringify(line)).join("\n")).entries).toEqual([
      { t: 0, kind: "process", event: "started", command: ["x", "--acp"] },
      { t: 1, kind: "message", from: "client", message: { id: 0, method: "initialize" } },
      { t: 2, kind: "noise", from: "agent", text: "{this is not json" },
      { t: 3, kind: "process", event: "signal", signal: "SIGTERM" },
      { t: 4, kind: "process", event: "input_ended" },
      { t: 5, kind: "process", event: "exited", exitCode: null, signal: "SIGTERM" },
      { t: 6, kind: "note", text: "summary", data: { updates: 3 } },
    ]);
    expect(readRecording('{"from":"agent","message":{"id":1}}').entries).toEqual([
      { t: 0, kind: "message", from: "agent", message: { id: 1 } },
    ]);
  });

  it("distinguishes the connections of a recording", () => {
    const initialize = { from: "client", message: { id: 0, method: "initialize" } };
    const other = { from: "client", message: { id: 1, method: "session/new" } };
    const lines = [initialize, other, initialize, other, other].map((line) => JSON.stringify(line)).join("\n");
    expect(runsOf(readRecording(lines)).map(({ entries }) => entries.length)).toEqual([2, 3]);
    expect(runsOf(lively())).toHaveLength(1);
  });

  it("has no connection for a note or a failed start of the agent before the first message", () => {
    const { entries, header } = record((tape) => {
      tape.note("a test");
      tape.process({ event: "started", command: ["agent"] });
      tape.process({ event: "exited", exitCode: 3, signal: null });
      tape.process({ event: "started", command: ["agent"] });
      tape.message("client", { id: 0, method: "initialize" });
      tape.message("agent", { id: 0, result: {} });
      tape.message("client", { id: 1, method: "session/prompt" });
      tape.process({ event: "exited", exitCode: null, signal: "SIGKILL" });
      tape.process({ event: "started", command: ["agent"] });
      tape.message("client", { id: 0, method: "initialize" });
    });
    const runs = runsOf({ header, entries, problems: [] });
    expect(runs.map(({ entries }) => entries.length)).toEqual([8, 2]);
    const { connection } = createReplayer({ header, entries, problems: [] }).open();
    expect(connection.report).toMatchObject({ expected: 2, died: { exitCode: null, signal: "SIGKILL" } });
  });

  it("can begin with a byte order mark", () => {
    const { text, entries } = record((tape) => tape.message("client", { method: "greet" }));
    expect(readRecording(`\ufeff${text}`)).toMatchObject({ entries, problems: [] });
  });
});
