import { describe, expect, it } from "vitest";
import { hostile, lively, timed } from "../../../test/recordings.js";
import { readRecording } from "../read-recording.js";
import { recorder } from "../recorder.js";
import { memorySink } from "../sink.js";
import { traceRows } from "./trace-row.js";
import { traceText } from "./trace-text.js";

describe("a trace in the terminal", () => {
  it("connects requests and responses, names sessions, and shows process events", () => {
    expect(traceText(lively())).toBe(
      [
        "    0.000  ·  process        agent started: my-agent --acp (pid 7)",
        "    0.010  client ──> agent initialize 0  version 1, editor 1.0",
        "    0.110  client <·· agent initialize 0 (100 ms)  version 1, my-agent 2.0",
        "    0.110  ·                 client: editor 1.0, agent: my-agent 2.0, protocol version 1",
        "    0.120  client <─? agent  Welcome!",
        "    0.130  client ──> agent session/new 1  /work",
        "    0.140  client <·· agent session/new 1 s1 (10 ms)  one",
        '    0.150  client ──> agent session/prompt 2 s1  "Fix it" [resource_link file:///work/a.ts]',
        '    0.160  client <── agent session/update s1  agent_message_chunk "Looking"',
        "    0.170  client <── agent session/update s1  tool_call Edit a.ts pending",
        '    0.180  client <── agent session/request_permission "p" s1  Edit a.ts: allow_once, reject_once',
        '    5.180  client ··> agent session/request_permission "p" s1 (5000 ms)  selected yes',
        "    5.190  ·  stderr         a warning",
        "    5.200  client <·· agent session/prompt 2 s1 (5050 ms)  error -32603: Internal error",
        "    5.300  ·  process        client closed the agent's input",
        "    5.400  ·  process        agent exited with 1",
        "",
      ].join("\n"),
    );
  });

  it("describes the messages of version 2: states, whole messages, permissions and the decoded output of terminals", () => {
    const { at, recording } = timed();
    const tape = at(0);
    const update = (members: object): void =>
      tape.message("agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: members } });
    const client = { protocolVersion: 2, info: { name: "editor", version: "1" } };
    tape.message("client", { jsonrpc: "2.0", id: 0, method: "initialize", params: client });
    tape.message("agent", {
      jsonrpc: "2.0",
      id: 0,
      result: { protocolVersion: 2, info: { name: "agent", version: "2" } },
    });
    tape.message("client", { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    tape.message("agent", { jsonrpc: "2.0", id: 1, result: { messageId: "m1" } });
    const background = [{ type: "terminal", terminalId: "t" }];
    update({ sessionUpdate: "state_update", state: "running", background });
    update({ sessionUpdate: "agent_message", messageId: "m2", content: [{ type: "text", text: "Done" }] });
    update({ sessionUpdate: "terminal_update", terminalId: "t", command: "ls", output: { data: btoa("a.ts") } });
    update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "no base64!" });
    update({ sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } });
    const content = { type: "content", content: { type: "text", text: "more" } };
    update({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content });
    const plan = { type: "items", planId: "p", entries: [{ content: "Read", status: "pending" }] };
    update({ sessionUpdate: "plan_update", plan });
    const asked = { sessionId: "s", title: "Run ls?", subject: {}, options: [{ optionId: "y", kind: "allow_once" }] };
    tape.message("agent", { jsonrpc: "2.0", id: 9, method: "session/request_permission", params: asked });
    expect(traceRows(recording()).map(({ preview }) => preview)).toEqual([
      "version 2, editor 1",
      "version 2, agent 2",
      "client: editor 1, agent: agent 2, protocol version 2",
      "",
      "m1",
      "state_update running, 1 in the background",
      'agent_message "Done"',
      'terminal_update t ls "a.ts"',
      'terminal_output_chunk t "no base64!"',
      "terminal_update t exit code 1",
      'tool_call_content_chunk c "more"',
      "plan_update p Read (pending)",
      "Run ls?: allow_once",
    ]);
  });

  it("cuts long lines, and uses the given colours", () => {
    const wrap = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const names = ["dim", "red", "green", "cyan"] as const;
    const paint = Object.fromEntries(names.map((name) => [name, wrap(name)])) as Record<
      (typeof names)[number],
      (text: string) => string
    >;
    const text = traceText(lively(), { columns: 60, paint });
    expect(text).toContain("<cyan>initialize 0</cyan>  version 1, edito…");
    expect(text).toContain("<red>session/prompt 2 s1</red> <dim>(5050 ms)</dim>");
  });

  it("passes only plain text to the terminal", () => {
    const text = traceText(hostile());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain("\ufffd[31mred");
  });
});

it("a trace shows why an entry could not be recorded", () => {
  const sink = memorySink();
  recorder({ in: "client", sink }).message("agent", { method: "big", params: 1n });
  expect(traceText(readRecording(sink.text()))).toMatch(/an entry could not be recorded: TypeError: .*BigInt/);
});

describe("the rows of a trace", () => {
  it("refer to their counterparts", () => {
    const rows = traceRows(lively());
    for (const [index, { pair }] of rows.entries()) if (pair !== undefined) expect(rows[pair]?.pair).toBe(index);
    expect(rows.filter(({ pair }) => pair !== undefined)).toHaveLength(8);
    expect(rows.filter(({ failed }) => failed).map(({ kind }) => kind)).toEqual(["noise", "response", "process"]);
  });

  it("name the command of an agent, if the recording has one", () => {
    const { tape, recording } = timed();
    tape.process({ event: "started" });
    expect(traceRows(recording()).map(({ preview }) => preview)).toEqual(["agent started"]);
  });

  it("are created for entries of any shape", () => {
    for (const message of [
      null,
      1,
      "x",
      [],
      {},
      { id: {} },
      { method: 1 },
      { id: 1, result: null },
      { method: "session/update", params: { update: null } },
    ]) {
      const recording = readRecording(JSON.stringify({ t: 1, from: "agent", message }));
      expect(traceRows(recording)).toHaveLength(1);
      expect(traceText(recording)).toMatch(/\n$/);
    }
  });
});
