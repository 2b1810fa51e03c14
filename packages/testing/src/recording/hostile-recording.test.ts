import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { describe, expect, it } from "vitest";
import { deepJson } from "../../test/hostile.js";
import { RecordingReader, readRecording } from "./read-recording.js";
import { type Recorder, recorder } from "./recorder.js";
import type { RecorderOptions } from "./recorder-options.js";
import { memorySink } from "./sink.js";
import { traceText } from "./trace/trace-text.js";
import { watchMessages, watchStderr } from "./wire-recorder.js";

function record(action: (tape: Recorder) => void, options: Partial<RecorderOptions> = {}) {
  const sink = memorySink();
  const tape = recorder({ in: "between", sink, ...options });
  action(tape);
  return { tape, text: sink.text(), ...readRecording(sink.text()) };
}

/** Records lines as they come from the wire, and one more after them: the recording has to continue. */
function wired(lines: readonly string[], options: Partial<RecorderOptions> = {}) {
  const sent = [...lines, '{"jsonrpc":"2.0","method":"last"}'].map((line) => `${line}\n`).join("");
  return record((tape) => watchMessages(tape, "agent").push(new TextEncoder().encode(sent)), options);
}

const last = { kind: "message", message: { method: "last" } };

describe.each([{}, { secrets: true }, { fileContents: false }])(
  "a recording with %o continues afterwards",
  (options) => {
    it.each([1_000, 10_000, 1_000_000])("hostile.recorder: a message that is nested %d deep", (depth) => {
      const params = deepJson(depth);
      const { entries, tape } = wired(
        [`{"jsonrpc":"2.0","id":7,"method":"deep","params":${params}}`, `{"id":7,"result":${params}}`, params],
        options,
      );
      expect(entries).toMatchObject([
        { kind: "message", leftOut: true, message: { id: 7, method: "deep" } },
        { kind: "message", leftOut: true, message: { id: 7 } },
        { kind: "message", leftOut: true },
        last,
      ]);
      expect(tape.failure).toBeUndefined();
    });

    it("hostile.recorder: names that every JavaScript object inherits", () => {
      const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "length"];
      const { entries } = wired(
        names.map((name, id) => `{"jsonrpc":"2.0","id":${id},"method":"${name}","params":{"${name}":{"${name}":"x"}}}`),
        options,
      );
      expect(entries).toMatchObject([...names.map((method) => ({ kind: "message", message: { method } })), last]);
      const shown = entries.flatMap((entry) => (entry.kind === "message" ? [JSON.stringify(entry.message)] : []));
      for (const [index, name] of names.entries()) expect(shown[index]).toContain(`{"${name}":{"${name}":"x"}}`);
    });

    it("hostile.recorder: more values than can be parsed at a bounded cost", () => {
      const { entries } = wired([`{"jsonrpc":"2.0","method":"wide","params":[${"[],".repeat(2_600_000)}1]}`], options);
      expect(entries).toMatchObject([{ kind: "message", leftOut: true, message: { method: "wide" } }, last]);
    });

    it("hostile.recorder: an oversized line whose id or method is not a JSON string", () => {
      const huge = `"${"x".repeat(9_000_000)}"`;
      const { entries } = wired(
        [`{"id":"\u0001","params":${huge}}`, `{"method":"a\tb","params":${huge}}`, `{"id":"\ud800","params":${huge}}`],
        options,
      );
      expect(entries).toHaveLength(4);
      expect(entries.at(-1)).toMatchObject(last);
    });
  },
);

describe("a recorder", () => {
  it("hostile.recorder: a value that can't be serialized is named in the recording, which continues", () => {
    const cycle: Record<string, unknown> = { method: "cycle" };
    cycle.self = [cycle, cycle];
    const { entries, tape } = record((recorder) => {
      recorder.message("agent", cycle);
      recorder.message("agent", { method: "big", params: 1n });
      recorder.note("a note", cycle);
      recorder.message("agent", { method: "last" });
    });
    expect(entries).toMatchObject([
      { kind: "message", leftOut: true, message: { method: "cycle" } },
      { kind: "left_out", reason: "not_recordable", entries: 1, message: expect.stringContaining("BigInt") },
      { kind: "note", text: "a note" },
      last,
    ]);
    expect(tape.failure).toBeUndefined();
    expect(tape.stats.leftOut).toBe(2);
  });

  it("hostile.recorder: a failing sink is reported, and not used again", async () => {
    let left = 2;
    const write = (): void => {
      if (left-- === 0) throw new Error("disk full");
    };
    const tape = recorder({ in: "client", sink: { write } });
    expect(tape.failure).toBeUndefined();
    for (let n = 0; n < 5; n += 1) tape.message("client", { n });
    await tape.close();
    expect(tape.failure).toEqual(new Error("disk full"));
  });

  it("hostile.recorder: a long line in many pieces is read in linear time", async () => {
    const read = (pieces: number): void => {
      const reader = new RecordingReader();
      reader.push('{"acpRecording":1}\n{"t":1,"kind":"stderr","text":"');
      for (let n = 0; n < pieces; n += 1) reader.push("x".repeat(50));
      expect(reader.push('"}\n')).toMatchObject([{ kind: "stderr" }]);
    };
    expect(await growthOf(read)).toBeLessThan(LINEAR);
  });

  it("hostile.recorder: standard error in one endless line is cut", () => {
    const { entries } = record((tape) => {
      const watcher = watchStderr(tape);
      for (let n = 0; n < 200; n += 1) watcher.push(new Uint8Array(65_536).fill(0x61));
      watcher.end();
    });
    expect(entries).toMatchObject([{ kind: "stderr", cut: true }]);
  });
});

describe("a manipulated recording", () => {
  const header = '{"acpRecording":1,"startedAt":"2026-01-01T00:00:00Z","recordedIn":"client","redacted":{}}\n';

  it.each([
    ["deep", `{"t":1,"kind":"message","from":"client","message":${deepJson(100_000)}}`, "nested too deep"],
    ["wide", `{"t":1,"kind":"message","from":"client","message":[${"[],".repeat(2_000_000)}1]}`, "too many values"],
  ])("hostile.recorder: is read without the line that is %s", (_, line, reason) => {
    const { entries, problems } = readRecording(`${header}${line}\n{"t":1,"kind":"stderr","text":"a"}\n`);
    expect(problems).toMatchObject([{ line: 2, kind: "unknown", message: expect.stringContaining(reason) }]);
    expect(entries).toMatchObject([{ kind: "stderr" }]);
  });

  it.each([
    '{"t":1,"kind":"process","event":"started","command":"agent"}',
    '{"t":1,"kind":"process","event":"started","command":[null]}',
    '{"t":1,"kind":"process","event":"failed"}',
    '{"t":1,"kind":"process","event":"signal","signal":9}',
    '{"t":1,"kind":"process","event":"exited","exitCode":"1","signal":null}',
    '{"t":1,"kind":"peers","client":null}',
    '{"t":1,"kind":"peers","agent":{"name":"a"}}',
    '{"t":1,"kind":"peers","protocolVersion":"1"}',
    '{"t":1,"kind":"left_out","reason":"recording_full"}',
    '{"t":1,"kind":"noise","from":"agent","text":"a","bytes":"1"}',
    '{"t":1e999,"kind":"note","text":"a"}',
  ])("hostile.recorder: is read without the line %s", (line) => {
    const recording = readRecording(`${header}${line}\n{"t":1,"kind":"stderr","text":"a"}\n`);
    expect(recording.problems).toMatchObject([{ line: 2, kind: "unknown" }]);
    expect(recording.entries).toMatchObject([{ kind: "stderr" }]);
    expect(traceText(recording)).toMatch(/stderr +a\n$/);
  });

  it("hostile.recorder: is read although an event is an object without a text", () => {
    const textless = '{"toString":1,"valueOf":1}';
    const lines = [
      `{"t":1,"dir":"meta","event":${textless}}`,
      `{"t":2,"dir":"meta","event":"spawn","command":[${textless}]}`,
      `{"t":1e999,"dir":"meta","event":"exit","signal":${textless}}`,
    ];
    expect(traceText(readRecording(lines.join("\n"))).split("\n")).toHaveLength(4);
  });
});
