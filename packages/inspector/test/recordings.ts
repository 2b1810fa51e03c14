import { memorySink, type Recorder, type Recording, readRecording, recorder } from "@acp-kit/testing/recording";

/** A recorder whose time the test controls. */
function timed(): { at(ms: number): Recorder; recording(): Recording } {
  const sink = memorySink();
  let now = 0;
  const clock = { now: () => now, date: () => new Date("2026-11-21T12:00:00Z") };
  const tape = recorder({ in: "between", sink, clock });
  return {
    at(ms) {
      now = ms;
      return tape;
    },
    recording: () => readRecording(sink.text()),
  };
}

type Id = number | string;
const request = (id: Id, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const response = (id: Id, result: object): object => ({ jsonrpc: "2.0", id, result });
const update = (sessionId: string, update: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update },
});
const chunk = (text: string): object =>
  update("one", { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** A short conversation with every kind of entry. */
export function shortRecording(): Recording {
  const { at, recording } = timed();
  at(0).process({ event: "started", command: ["my-agent", "--acp"], pid: 7 });
  at(10).message(
    "client",
    request(0, "initialize", { protocolVersion: 1, clientInfo: { name: "editor", version: "1.0" } }),
  );
  at(110).message("agent", response(0, { protocolVersion: 1, agentInfo: { name: "my-agent", version: "2.0" } }));
  at(120).noise("agent", "Welcome!");
  at(130).message("client", request(1, "session/new", { cwd: "/work", mcpServers: [] }));
  at(140).message("agent", response(1, { sessionId: "one" }));
  const prompt = [
    { type: "text", text: "Fix it" },
    { type: "resource_link", name: "a.ts", uri: "file:///work/a.ts" },
  ];
  at(150).message("client", request(2, "session/prompt", { sessionId: "one", prompt }));
  at(160).message("agent", chunk("Looking"));
  const toolCall = { toolCallId: "t1", title: "Edit a.ts", status: "pending" };
  at(170).message("agent", update("one", { sessionUpdate: "tool_call", ...toolCall }));
  at(175).message("agent", update("two", { sessionUpdate: "session_info_update", title: "Another session" }));
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  at(180).message("agent", request("p", "session/request_permission", { sessionId: "one", toolCall, options }));
  at(5180).message("client", response("p", { outcome: { outcome: "selected", optionId: "yes" } }));
  at(5190).stderr("a warning");
  at(5200).message("agent", { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error" } });
  at(5300).process({ event: "input_ended" });
  at(5400).process({ event: "exited", exitCode: 1, signal: null });
  return recording();
}

const hostileText =
  '</script><script>alert(1)</script><img src=x onerror=alert(2)><!--<script> " onload="alert(3) \u001b[31mred\u202e\u2028 ]]>';

/** Messages by which a peer could harm the viewer of a recording. */
export function hostileRecording(text: string = hostileText): Recording {
  const { at, recording } = timed();
  at(0).process({ event: "started", command: [text, text] });
  at(1).message(
    "client",
    request(text, "initialize", { protocolVersion: 1, clientInfo: { name: text, version: text } }),
  );
  at(2).message("agent", response(text, { protocolVersion: 1, agentInfo: { name: text, version: text } }));
  at(3).message("client", request(1, text, { sessionId: text, [text]: text }));
  at(4).message("agent", { jsonrpc: "2.0", id: 1, error: { code: text, message: text, data: { [text]: [text] } } });
  at(5).message("agent", update(text, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }));
  at(6).message(
    "agent",
    JSON.parse('{"__proto__": {"polluted": true}, "method": "constructor", "params": {"sessionId": "__proto__"}}'),
  );
  at(7).noise("agent", text);
  at(8).stderr(text);
  at(9).note(text, { text });
  return recording();
}

/** Many updates of one turn. */
export function longRecording(count: number): Recording {
  const { at, recording } = timed();
  for (let n = 0; n < count; n += 1) at(n).message("agent", chunk(`word ${n}`));
  return recording();
}

/**
 * A recording in which the agent's command and `session/new` contain a secret. A log, an error and messages that
 * violate the schema repeat it.
 */
export function recordingWithSecret(secret: string): Recording {
  const { at, recording } = timed();
  const servers = [{ name: "m", command: "/m", args: ["--api-key", secret], env: [{ name: "A", value: secret }] }];
  at(0).process({ event: "started", command: ["agent", "--api-key", secret] });
  at(1).message("client", request(1, "session/new", { cwd: 1, mcpServers: servers }));
  at(2).message("agent", { jsonrpc: "2.0", id: 1, error: { code: secret, message: `refused ${secret}` } });
  at(3).message("agent", response(`unknown ${secret}`, {}));
  at(4).message("agent", request(5, `unknown/${secret}`, { [secret]: secret }));
  at(5).message("agent", update("one", { sessionUpdate: "tool_call", toolCallId: 1, title: secret, status: secret }));
  at(6).noise("agent", `loaded ${secret}!`);
  at(7).stderr(`[debug] started with ${secret}, ready`);
  return recording();
}
