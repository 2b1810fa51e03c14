import type { Recording } from "../src/recording/format.js";
import { readRecording } from "../src/recording/read-recording.js";
import { type Recorder, recorder } from "../src/recording/recorder.js";
import type { RecorderOptions } from "../src/recording/recorder-options.js";
import { memorySink } from "../src/recording/sink.js";

/** A recorder whose time the test controls. */
export function timed(options: Partial<RecorderOptions> = {}): {
  readonly tape: Recorder;
  at(ms: number): Recorder;
  recording(): Recording;
} {
  const sink = memorySink();
  let now = 0;
  const clock = { now: () => now, date: () => new Date("2026-11-21T12:00:00Z") };
  const tape = recorder({ in: "between", sink, clock, ...options });
  return {
    tape,
    at(ms) {
      now = ms;
      return tape;
    },
    recording: () => readRecording(sink.text()),
  };
}

const call = (id: number | string, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const answer = (id: number | string, result: object): object => ({ jsonrpc: "2.0", id, result });
const update = (sessionId: string, update: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update },
});

/** A short conversation with every kind of entry. */
export function lively(): Recording {
  const { at, recording } = timed();
  at(0).process({ event: "started", command: ["my-agent", "--acp"], pid: 7 });
  at(10).message(
    "client",
    call(0, "initialize", { protocolVersion: 1, clientInfo: { name: "editor", version: "1.0" } }),
  );
  at(110).message("agent", answer(0, { protocolVersion: 1, agentInfo: { name: "my-agent", version: "2.0" } }));
  at(120).noise("agent", "Welcome!");
  at(130).message("client", call(1, "session/new", { cwd: "/work", mcpServers: [] }));
  at(140).message("agent", answer(1, { sessionId: "one" }));
  const prompt = [
    { type: "text", text: "Fix it" },
    { type: "resource_link", name: "a.ts", uri: "file:///work/a.ts" },
  ];
  at(150).message("client", call(2, "session/prompt", { sessionId: "one", prompt }));
  at(160).message(
    "agent",
    update("one", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Looking" } }),
  );
  const toolCall = { toolCallId: "t1", title: "Edit a.ts", status: "pending" };
  at(170).message("agent", update("one", { sessionUpdate: "tool_call", ...toolCall }));
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  at(180).message("agent", call("p", "session/request_permission", { sessionId: "one", toolCall, options }));
  at(5180).message("client", answer("p", { outcome: { outcome: "selected", optionId: "yes" } }));
  at(5190).stderr("a warning");
  at(5200).message("agent", { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error" } });
  at(5300).process({ event: "input_ended" });
  at(5400).process({ event: "exited", exitCode: 1, signal: null });
  return recording();
}

const poison =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)><!--<script> " onload="alert(3) \u001b[31mred\u202e\u2028 ]]>';

/** Messages by which a peer could harm the viewer of a recording. */
export function hostile(): Recording {
  const { at, recording } = timed();
  at(0).process({ event: "started", command: [poison, poison] });
  at(1).message(
    "client",
    call(poison, "initialize", { protocolVersion: 1, clientInfo: { name: poison, version: poison } }),
  );
  at(2).message("agent", answer(poison, { protocolVersion: 1, agentInfo: { name: poison, version: poison } }));
  at(3).message("client", call(1, poison, { sessionId: poison, [poison]: poison }));
  at(4).message("agent", {
    jsonrpc: "2.0",
    id: 1,
    error: { code: poison, message: poison, data: { [poison]: [poison] } },
  });
  at(5).message(
    "agent",
    update(poison, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: poison } }),
  );
  at(6).message(
    "agent",
    JSON.parse('{"__proto__": {"polluted": true}, "method": "constructor", "params": {"sessionId": "__proto__"}}'),
  );
  at(7).noise("agent", poison);
  at(8).stderr(poison);
  at(9).note(poison, { poison });
  return recording();
}
