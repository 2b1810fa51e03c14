import { type Diagnostic, linkedTransports, v1Client } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { connectAgent } from "../connect-agent.js";
import type { ConnectAgentOptions } from "../connect-options.js";
import { isNotFound } from "../errors.js";
import { type DialectSetting, dialectRules } from "./dialect-rules.js";
import { Dialects } from "./dialects.js";
import { tolerantRole } from "./tolerant-role.js";

interface Decoded {
  readonly updates: unknown[];
  readonly rules: unknown[];
}

/** The updates as the client reads them, and the compatibility rules that it needed. */
function decode(updates: readonly object[], setting: DialectSetting = true, showsTerminals = false): Decoded {
  return decodeParams(
    updates.map((update) => ({ sessionId: "s", update })),
    setting,
    showsTerminals,
  );
}

function decodeParams(all: readonly object[], setting: DialectSetting = true, showsTerminals = false): Decoded {
  const rules: unknown[] = [];
  const dialects = new Dialects(setting, ({ data }) => rules.push((data as { rule: string }).rule));
  const role = tolerantRole(v1Client, dialects, { showsTerminals });
  const updates = all.map((params) => {
    const before = JSON.stringify(params);
    const read = role.decoders.params["session/update"]?.try(params);
    if (read?.ok && read.value !== params) expect(JSON.stringify(params)).toBe(before); // taps have it
    return read?.ok ? (read.value as { update: unknown }).update : "refused";
  });
  return { updates, rules };
}

const text = (text: string) => ({ type: "text", text });
const said = { sessionUpdate: "agent_message_chunk", content: text("A") };

describe("rules", () => {
  test("are reported once on a connection, by name", () => {
    const diagnostics: Diagnostic[] = [];
    const dialects = new Dialects(true, (diagnostic) => diagnostics.push(diagnostic));
    dialects.markNeeded("mode-id", "session/update");
    dialects.markNeeded("mode-id", "session/update");
    expect(diagnostics).toEqual([
      {
        code: "dialect",
        message:
          'The agent deviates from the specification: the compatibility rule "mode-id" was applied (see dialectRules)',
        method: "session/update",
        data: { rule: "mode-id" },
      },
    ]);
  });

  test("describe the difference and where it was seen", () => {
    for (const rule of Object.values(dialectRules)) {
      expect(rule.description).toMatch(/^(It|The) .+[^.]$/);
      expect(rule.seenIn).not.toBe("");
    }
  });

  test("can be switched off: all of them, or all but those that are named", () => {
    const odd = [
      { sessionUpdate: "thought", content: "hm" },
      { sessionUpdate: "current_mode_update", modeId: "code" },
    ];
    expect(decode(odd, false)).toEqual({ updates: [odd[0], "refused"], rules: [] });
    expect(decode(odd, ["mode-id"])).toEqual({
      updates: [odd[0], { sessionUpdate: "current_mode_update", currentModeId: "code", modeId: "code" }],
      rules: ["mode-id"],
    });
    const role = tolerantRole(v1Client, new Dialects(false, () => {}), { showsTerminals: false });
    expect(role).toBe(v1Client);
  });

  test("don't change correct messages, nor those that no rule can read", () => {
    const fine = [said, { sessionUpdate: "_vendor_thing", any: 1 }, { sessionUpdate: "plan", entries: [] }];
    expect(decode(fine)).toEqual({ updates: fine, rules: [] });
    expect(decodeParams([{ sessionId: "s" }, { sessionId: "s", update: 1 }, { sessionId: "s", update: {} }])).toEqual({
      updates: ["refused", "refused", "refused"],
      rules: [],
    });
  });
});

describe("older-update-names", () => {
  const rules = ["older-update-names"];

  test("config_options_update, thought", () => {
    const option = { type: "boolean", id: "o", name: "O", currentValue: true };
    const updates = [
      { sessionUpdate: "config_options_update", configOptions: [option] },
      { sessionUpdate: "thought", content: "hm", title: "T" },
    ];
    expect(decode(updates)).toEqual({
      updates: [
        { sessionUpdate: "config_option_update", configOptions: [option] },
        { sessionUpdate: "agent_thought_chunk", content: text("hm"), title: "T" },
      ],
      rules,
    });
  });

  test("tool_call_start, _chunk and _end: streamed text is accumulated", () => {
    const chunk = { sessionUpdate: "tool_call_chunk", toolCallId: "t" };
    const updates = [
      { sessionUpdate: "tool_call_start", toolCallId: "t", toolName: "bash", status: "pending" },
      { ...chunk, content: '{"a"', kind: "input" },
      { ...chunk, content: ":1}", kind: "input" },
      { ...chunk, content: "o", kind: "output" },
      { ...chunk, content: "k" },
      { sessionUpdate: "tool_call_end", toolCallId: "t", status: "completed", result: "ok" },
      { ...chunk, content: "again", kind: "output" },
      { ...chunk, title: "Read", kind: "read" },
      { sessionUpdate: "tool_call_end", toolCallId: "t", status: "cancelled", error: "stopped" },
    ];
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t" };
    const output = (words: string) => [{ type: "content", content: text(words) }];
    expect(decode(updates)).toEqual({
      updates: [
        { sessionUpdate: "tool_call", toolCallId: "t", title: "bash", name: "bash", status: "pending" },
        { ...update, rawInput: '{"a"' },
        { ...update, rawInput: '{"a":1}' },
        { ...update, status: "in_progress", content: output("o") },
        { ...update, status: "in_progress", content: output("ok") },
        { ...update, status: "completed", content: output("ok") },
        { ...update, status: "in_progress", content: output("again") },
        { ...update, title: "Read", kind: "read" },
        { ...update, status: "failed", content: output("stopped") },
      ],
      rules,
    });
  });

  test("agent_message_start and _end have no text; status and error are notices", () => {
    const updates = [
      { sessionUpdate: "agent_message_start", messageId: "m", role: "assistant" },
      { sessionUpdate: "agent_message_end", stopReason: "end_turn" },
      { sessionUpdate: "status", status: "thinking" },
      { sessionUpdate: "error", message: "No quota", code: 7, detail: "until noon" },
    ];
    const empty = { sessionUpdate: "agent_message_chunk", content: text("") };
    expect(decode(updates)).toEqual({
      updates: [
        { ...empty, messageId: "m" },
        { ...empty, messageId: null },
        { sessionUpdate: "notice", severity: "info", title: "thinking" },
        { sessionUpdate: "notice", severity: "error", title: "No quota", description: "until noon" },
      ],
      rules,
    });
  });
});

describe("updates", () => {
  test("flat-updates: members beside sessionId, or `type` for a tag", () => {
    const { update: _, ...flat } = { sessionId: "s", update: 0, ...said };
    expect(decodeParams([flat, { sessionId: "s", update: { type: "plan", entries: [] } }])).toEqual({
      updates: [said, { sessionUpdate: "plan", entries: [] }],
      rules: ["flat-updates"],
    });
  });

  test("flat-updates: with older names and plain content, all at once", () => {
    expect(
      decodeParams([
        { sessionId: "s", type: "agent_message_chunk", content: "A" },
        { sessionId: "s", type: "thought", content: "hm" },
      ]),
    ).toEqual({
      updates: [said, { sessionUpdate: "agent_thought_chunk", content: text("hm") }],
      rules: ["flat-updates", "plain-content", "older-update-names"],
    });
  });

  test("plain-content: a string or a list where a block belongs", () => {
    const chunk = { sessionUpdate: "agent_message_chunk" };
    expect(
      decode([
        { ...chunk, content: "A" },
        { ...chunk, content: [text("A"), text("B")] },
        { ...chunk, content: [text("A"), { type: "citation", source: "a.txt" }, "B"] },
        { ...chunk, content: [text("A"), { type: "resource", resource: { uri: "file:///a", text: "B" } }] },
        { ...chunk, content: [{ type: "image", data: "", mimeType: "image/png" }] },
        { ...chunk, content: 1 },
      ]),
    ).toEqual({
      updates: [
        said,
        { ...chunk, content: text("AB") },
        { ...chunk, content: text("AB") },
        { ...chunk, content: text("AB") },
        { ...chunk, content: { type: "image", data: "", mimeType: "image/png" } },
        "refused",
      ],
      rules: ["plain-content"],
    });
  });

  test("null-members: null instead of a string", () => {
    const commands = [
      { name: "a", description: null, input: null },
      { name: "b", description: "B" },
    ];
    expect(
      decode([
        { sessionUpdate: "available_commands_update", availableCommands: commands },
        { sessionUpdate: "tool_call", toolCallId: "t", title: null, name: "bash", kind: null, content: null },
      ]),
    ).toEqual({
      updates: [
        {
          sessionUpdate: "available_commands_update",
          availableCommands: [{ name: "a", description: "", input: null }, commands[1]],
        },
        expect.objectContaining({ sessionUpdate: "tool_call", toolCallId: "t", title: "bash" }),
      ],
      rules: ["null-members"],
    });
  });

  test("slash-names: one slash at the beginning of a command's name is not part of it", () => {
    const named = (...names: string[]) => ({
      sessionUpdate: "available_commands_update",
      availableCommands: names.map((name) => ({ name, description: "" })),
    });
    expect(decode([named("/review", "mcp/a", "/", "//x")])).toEqual({
      updates: [named("review", "mcp/a", "/", "/x")],
      rules: ["slash-names"],
    });
    expect(decode([named("/review")], ["null-members"])).toEqual({ updates: [named("/review")], rules: [] });
  });

  test("mode-as-text: a message that is nothing but a change of mode", () => {
    const chunk = (words: string) => ({ ...said, content: text(words) });
    const talk = [chunk("[MODE_UPDATE] is what it says"), chunk("[MODE_UPDATE] "), chunk("so: [MODE_UPDATE] x")];
    expect(decode([chunk("[MODE_UPDATE] autoEdit"), ...talk])).toEqual({
      updates: [{ sessionUpdate: "current_mode_update", currentModeId: "autoEdit" }, ...talk],
      rules: ["mode-as-text"],
    });
  });

  test("bare-tool-content: blocks without the object that belongs around them", () => {
    const wrapped = { type: "content", content: text("a") };
    const diff = { type: "diff", path: "/a", newText: "b" };
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", content: [text("a"), wrapped, diff] };
    expect(decode([update])).toEqual({
      updates: [{ ...update, content: [wrapped, wrapped, diff] }],
      rules: ["bare-tool-content"],
    });
  });

  test("agent-terminals: reported, and left as they are", () => {
    const output = { terminal_id: "x", data: "a" };
    const sent = { sessionUpdate: "tool_call_update", toolCallId: "t", _meta: { terminal_output: output } };
    const sentPiece = { ...sent, _meta: { terminal_output_delta: output } };
    const shown = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: [{ type: "terminal", terminalId: "x" }],
    };
    expect(decode([sent], true, true)).toEqual({ updates: [sent], rules: ["agent-terminals"] });
    expect(decode([sentPiece], true, true)).toEqual({ updates: [sentPiece], rules: ["agent-terminals"] });
    expect(decode([shown])).toEqual({ updates: [shown], rules: ["agent-terminals"] });
    expect(decode([shown], true, true)).toEqual({ updates: [shown], rules: [] }); // it may be one that this client runs
  });

  test("unlisted-value: reported, in updates and in responses", () => {
    const option = (currentValue: string) => ({
      type: "select",
      id: "model",
      name: "Model",
      currentValue,
      options: [{ group: "g", name: "G", options: [{ value: "a", name: "A" }] }],
    });
    const update = (value: string) => ({ sessionUpdate: "config_option_update", configOptions: [option(value)] });
    expect(decode([update("a")]).rules).toEqual([]);
    expect(decode([update("b")]).rules).toEqual(["unlisted-value"]);
  });
});

/** A client whose agent responds as the test says. */
async function connect(answers: (method: string) => object | undefined, options: ConnectAgentOptions = {}) {
  const [agentSide, clientSide] = linkedTransports();
  const rules: unknown[] = [];
  agentSide.start({
    message(value) {
      const { id, method } = value as { id?: number; method: string };
      if (id === undefined) return;
      const initialized = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
      const answer = answers(method) ?? { id, result: method === "initialize" ? initialized : { sessionId: "s" } };
      agentSide.send({ jsonrpc: "2.0", id, ...answer } as never);
    },
    malformed() {},
    ended() {},
    failed() {},
  });
  const agent = await connectAgent(clientSide, {
    ...options,
    onDiagnostic: ({ code, data }) => code === "dialect" && rules.push((data as { rule: string }).rule),
  });
  return { agent, rules };
}

const load = { sessionId: "gone", cwd: "/work" };

describe("responses", () => {
  test.each([
    [
      "Gemini CLI",
      { code: -32603, message: "Internal error", data: { details: "No previous sessions found for this project." } },
    ],
    ["Gemini CLI, prompts", { code: -32602, message: "Session not found: nope" }],
    ["OpenCode", { code: -32602, message: "Invalid params: session not found: nope", data: { sessionId: "nope" } }],
    [
      "Claude",
      {
        code: -32603,
        message: "Internal error",
        data: { details: "Error: --resume requires a valid session ID or session title" },
      },
    ],
  ])("session-not-found: as %s says it", async (_, error) => {
    const answers = (method: string) => (method === "session/load" ? { error } : undefined);
    const { agent, rules } = await connect(answers);
    const failed = await agent.loadSession(load).catch((error: unknown) => error);
    expect(isNotFound(failed)).toBe(true);
    expect((failed as Error).cause).toMatchObject({ code: error.code });
    expect(rules).toEqual(["session-not-found"]);
    await agent.close();

    const strict = await connect(answers, { dialects: false });
    await expect(strict.agent.loadSession(load)).rejects.toMatchObject({ code: error.code, message: error.message });
    await strict.agent.close();
  });

  test("session-not-found: not in other errors, and not about other things", async () => {
    const error = { code: -32603, message: "Session expired" };
    const { agent, rules } = await connect((method) => (method === "session/load" ? { error } : undefined));
    await expect(agent.loadSession(load)).rejects.toMatchObject(error);
    expect(rules).toEqual([]);
    await agent.close();
  });

  test("json-error-message: the message inside the JSON is used", async () => {
    const inner = JSON.stringify({ error: { code: 429, message: "Too many requests" } });
    const { agent, rules } = await connect((method) => {
      return method === "session/prompt" ? { error: { code: 500, message: inner } } : undefined;
    });
    const session = await agent.newSession({ cwd: "/work" });
    await expect(session.prompt("Hi").result).rejects.toMatchObject({ code: 500, message: "Too many requests" });
    expect(rules).toEqual(["json-error-message"]);
    await agent.close();
  });

  test.each([
    ["an empty object", {}],
    ["null", null],
    ["null for the list", { configOptions: null }],
    ["the list alone", [{ type: "boolean", id: "o", name: "O", currentValue: true }]],
  ])("option-response: %s says that the value is set, and the other options are kept", async (shape, result) => {
    const option = { type: "boolean", id: "o", name: "O", currentValue: false } as const;
    const options = shape === "the list alone" ? [option] : [option, { ...option, id: "p" }];
    const answers = (method: string): object | undefined =>
      method === "session/new"
        ? { result: { sessionId: "s", configOptions: options } }
        : method === "session/set_config_option"
          ? { result }
          : undefined;
    const { agent, rules } = await connect(answers);
    const session = await agent.newSession({ cwd: "/work" });
    await session.options.set("o", true);
    expect(session.transcript.snapshot.configOptions).toEqual([{ ...option, currentValue: true }, ...options.slice(1)]);
    expect([...session.options].map(({ value }) => value)).toEqual([true, ...options.slice(1).map(() => false)]);
    expect(rules).toEqual(["option-response"]);
    await expect((await connect(answers, { dialects: false })).agent.newSession({ cwd: "/w" })).resolves.toBeDefined();
  });

  const reason = "quota of model-x used up until 18:00";
  test.each([
    ["a text", reason],
    ["JSON as text", JSON.stringify({ error: { message: reason } })],
    ["data.message", { message: reason }],
    ["data.details", { details: reason, code: "E1" }],
    ["JSON in data.details", { details: JSON.stringify({ type: "error", error: { type: "t", message: reason } }) }],
    ["data.error", { error: reason }],
    ["data.error.error", { error: { error: reason } }],
    ["data.error.message", { error: { type: "rate_limit", message: reason } }],
    ["data.reason", { reason }],
    ["data.description", { name: "APIError", description: reason }],
    ["data.data.message", { name: "APIError", data: { message: reason } }],
    ["data.cause.message", { cause: { message: reason } }],
    ["data.errors", { errors: [{ message: reason }] }],
  ])("reason-in-data: %s is in the message, and in the transcript", async (_, data) => {
    const error = { code: -32603, message: "Internal error", data };
    const { agent, rules } = await connect((method) => (method === "session/prompt" ? { error } : undefined));
    const session = await agent.newSession({ cwd: "/work" });
    const message = `Internal error: ${reason}`;
    await expect(session.prompt("go").result).rejects.toMatchObject({ code: -32603, message, data });
    expect(session.transcript.snapshot.turns.at(-1)?.error).toEqual({ code: -32603, message });
    expect(rules).toEqual(["reason-in-data"]);
    await agent.close();
  });

  test.each([
    ["there is none", { method: "session/prompt" }],
    ["it is a code for programs", { reason: "agent_failed" }],
    ["the message has it", { details: "failed because" }],
    ["it is nested too deep", { error: { error: { error: { error: { error: { message: "deep" } } } } } }],
  ])("reason-in-data: the message is kept if %s", async (_, data) => {
    const error = { code: -32603, message: "It failed because of a thing", data };
    const { agent, rules } = await connect((method) => (method === "session/new" ? { error } : undefined));
    await expect(agent.newSession({ cwd: "/work" })).rejects.toMatchObject(error);
    expect(rules).toEqual([]);
    await agent.close();
  });

  test("reason-in-data: a long reason is cut between characters", async () => {
    const data = { message: `a${"\u{1f4a1}".repeat(2_000)}` };
    const error = { code: -32603, message: "Internal error", data };
    const { agent } = await connect((method) => (method === "session/new" ? { error } : undefined));
    const failed: unknown = await agent.newSession({ cwd: "/work" }).catch((failed: unknown) => failed);
    expect((failed as Error).message).toBe(`Internal error: a${"\u{1f4a1}".repeat(999)}…`);
    await agent.close();
  });

  test("error-without-id: it settles the only open request, and taps receive it unchanged", async () => {
    const seen: unknown[] = [];
    const error = { code: -32000, message: "Who are you?" };
    const { agent, rules } = await connect(
      (method) => (method === "session/load" ? { id: undefined, error } : undefined),
      { tap: ({ direction, message }) => direction === "received" && seen.push(JSON.parse(JSON.stringify(message))) },
    );
    await expect(agent.loadSession(load)).rejects.toThrow("Who are you?");
    expect(seen.at(-1)).toEqual({ jsonrpc: "2.0", error });
    expect(rules).toEqual(["error-without-id"]);
    await agent.close();
  });

  test("error-without-id: with two open requests it settles neither", async () => {
    const { agent, rules } = await connect((method) => {
      if (method === "session/prompt") return { id: -1, result: {} }; // an answer to nothing: the prompt stays open
      return method === "session/load" ? { id: undefined, error: { code: 1, message: "?" } } : undefined;
    });
    const session = await agent.newSession({ cwd: "/work" });
    const turn = session.prompt("Hi");
    const loading = agent.loadSession(load);
    await agent.newSession({ cwd: "/work" }); // what came before has been read by now
    expect(rules).toEqual([]);
    await agent.close();
    await expect(loading).rejects.toMatchObject({ name: "ConnectionError" });
    await expect(turn.result).rejects.toMatchObject({ name: "ConnectionError" });
  });

  test("models: reported if the agent responds with them", async () => {
    const models = { currentModelId: "a", availableModels: [{ modelId: "a", name: "A" }] };
    const { agent, rules } = await connect((method) => {
      return method === "session/new" ? { result: { sessionId: "s", models } } : undefined;
    });
    await agent.newSession({ cwd: "/work" });
    await agent.newSession({ cwd: "/work" });
    expect(rules).toEqual(["models"]);
    await agent.close();
  });
});
