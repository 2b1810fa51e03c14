import { describe, expect, it } from "vitest";
import {
  agentDecoders,
  clientDecoders,
  DecodeError,
  type DecoderTable,
  decodeAuthenticateResponse,
  decodeCancelRequestNotification,
  decodeCreateElicitationRequest,
  decodeInitializeRequest,
  decodeInitializeResponse,
  decodeLogoutRequest,
  decodeNewSessionRequest,
  decodePromptRequest,
  decodePromptResponse,
  decodeSessionNotification,
  decodeSetSessionConfigOptionRequest,
  formatIssue,
} from "./decode.js";

const update = (fields: object) => ({ sessionId: "s", update: fields });
const chunk = (content: unknown) => update({ sessionUpdate: "agent_message_chunk", content });

describe("a decoder", () => {
  it("returns the value that it was given", () => {
    const value = chunk({ type: "text", text: "hello" });
    expect(decodeSessionNotification(value)).toBe(value);
  });

  it("throws a DecodeError that names the actual fault", () => {
    expect(() => decodeSessionNotification(chunk({ type: "text" }))).toThrow(DecodeError);
    expect(() => decodeSessionNotification(chunk({ type: "text" }))).toThrow(
      "update.content.text: must be a string (missing)",
    );
  });

  it("does not throw in `try`", () => {
    expect(decodeSessionNotification.try(chunk({ type: "text", text: 5 }))).toEqual({
      ok: false,
      issues: [{ path: ["update", "content", "text"], message: "must be a string (got number)" }],
    });
  });

  it("does not even throw for values that JSON.parse would never make", () => {
    const frozen = Object.freeze({ protocolVersion: 1 });
    expect(decodeInitializeResponse.try(frozen)).toMatchObject({
      ok: false,
      issues: [{ path: [], message: expect.stringContaining("cannot be decoded in place") }],
    });
    const partly = {
      agentCapabilities: 5,
      _meta: Object.freeze({}),
      authMethods: Object.freeze([5]),
      protocolVersion: 1,
    };
    expect(decodeInitializeResponse.try(partly)).toMatchObject({ ok: false });
    expect(partly).toEqual({ agentCapabilities: 5, _meta: {}, authMethods: [5], protocolVersion: 1 });
    const hostile = {
      get sessionId() {
        throw new Error("no");
      },
    };
    expect(decodeSessionNotification.try(hostile)).toMatchObject({ ok: false });
  });

  it("shares one empty list between all values that needed no repair", () => {
    const first = decodeSessionNotification.try(chunk({ type: "text", text: "a" }));
    const second = decodePromptResponse.try({ stopReason: "end_turn" });
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(first.salvaged).toBe(second.salvaged);
    expect(Object.isFrozen(first.salvaged)).toBe(true);
  });

  it("leaves a refused value unchanged, defaults and repairs included", () => {
    const value = {
      agentCapabilities: { loadSession: "yes", promptCapabilities: 5 },
      authMethods: [{ id: 1 }, { id: "a", name: "A", description: 5 }],
      protocolVersion: "one",
    };
    const before = structuredClone(value);
    expect(decodeInitializeResponse.try(value)).toMatchObject({ ok: false, issues: [{ path: ["protocolVersion"] }] });
    expect(value).toEqual(before);
    const update = chunk({ type: "text", text: 5, annotations: { priority: "high" }, _meta: 1 });
    const untouched = structuredClone(update);
    expect(decodeSessionNotification.try(update).ok).toBe(false);
    expect(update).toEqual(untouched);
  });
});

describe("what the schema allows to be repaired", () => {
  it("leaves out malformed optional members, at any depth, and reports it", () => {
    const value = chunk({
      type: "text",
      text: "a",
      annotations: { audience: ["user", "bot", 5], priority: "high", lastModified: 3 },
      _meta: "x",
    });
    const result = decodeSessionNotification.try(value);
    expect(result).toMatchObject({
      ok: true,
      value: chunk({ type: "text", text: "a", annotations: { audience: ["user"] } }),
    });
    expect(result.ok && result.salvaged.map(formatIssue)).toEqual([
      'update.content.annotations.audience[1]: left out: must be one of "assistant", "user" (got "bot")',
      'update.content.annotations.audience[2]: left out: must be one of "assistant", "user" (got number)',
      "update.content.annotations.lastModified: left out: must be a string or null (got number)",
      "update.content.annotations.priority: left out: must be a number or null (got string)",
      "update.content._meta: left out: must be an object or null (got string)",
    ]);
    expect(value.update).not.toHaveProperty("content._meta");
  });

  it("reports the position on the wire, also after items that were left out", () => {
    const entry = { content: "a", priority: "high", status: "pending" };
    const entries = [null, entry, { ...entry, priority: "urgent" }, { ...entry, _meta: 1 }];
    const result = decodeSessionNotification.try(update({ sessionUpdate: "plan", entries }));
    expect(result.ok && result.value.update).toEqual({ sessionUpdate: "plan", entries: [entry, entry] });
    expect(result.ok && result.salvaged.map(formatIssue)).toEqual([
      "update.entries[0]: left out: must be an object (got null)",
      'update.entries[2]: left out: priority: must be one of "high", "medium", "low" (got "urgent")',
      "update.entries[3]._meta: left out: must be an object or null (got number)",
    ]);
  });

  it("reports only the outer of two repairs when the outer one takes the inner with it", () => {
    const agentInfo = { name: "a", title: 5, version: 5 };
    const result = decodeInitializeResponse.try({ protocolVersion: 1, agentInfo });
    expect(result.ok && result.salvaged).toEqual([
      { path: ["agentInfo"], message: "left out: version: must be a string (got number)" },
    ]);
    // The removed value is the original one.
    expect(agentInfo.title).toBe(5);
  });

  it("fills in the defaults of capabilities, a new one each time and without a report", () => {
    const first = decodeInitializeRequest.try({ protocolVersion: 1 });
    const second = decodeInitializeRequest.try({ protocolVersion: 1, clientCapabilities: { terminal: true } });
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(first.value.clientCapabilities).toEqual({
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      auth: { terminal: false },
    });
    expect(second.value.clientCapabilities).toMatchObject({ terminal: true, fs: { readTextFile: false } });
    expect(first.value.clientCapabilities?.fs).not.toBe(second.value.clientCapabilities?.fs);
    expect([...first.salvaged, ...second.salvaged]).toEqual([]);
  });

  it("reads null as empty where the schema says so", () => {
    const result = decodeNewSessionRequest.try({ cwd: "/work", mcpServers: null });
    expect(result).toEqual({
      ok: true,
      value: { cwd: "/work", mcpServers: [] },
      salvaged: [{ path: ["mcpServers"], message: "read as []: must be an array (got null)" }],
    });
  });

  it("still refuses a missing required member", () => {
    expect(decodeNewSessionRequest.try({ cwd: "/work" })).toMatchObject({
      ok: false,
      issues: [{ path: ["mcpServers"], message: "must be an array (missing)" }],
    });
    expect(decodeSessionNotification.try(update({ sessionUpdate: "plan" }))).toMatchObject({
      ok: false,
      issues: [{ path: ["update", "entries"] }],
    });
  });
});

describe("data unknown to this version of the schema", () => {
  it("is kept: updates, content, members", () => {
    for (const value of [
      update({ sessionUpdate: "from_2027", deep: { list: [1, null] } }),
      chunk({ type: "video", frames: 24 }),
      { ...chunk({ type: "text", text: "a", color: "red" }), traceId: "t" },
    ]) {
      expect(decodeSessionNotification.try(structuredClone(value))).toEqual({ ok: true, value, salvaged: [] });
    }
  });

  it("still needs a tag", () => {
    expect(decodeSessionNotification.try(update({}))).toMatchObject({
      issues: [{ path: ["update", "sessionUpdate"] }],
    });
    expect(decodeSessionNotification.try(chunk({ type: 5 }))).toMatchObject({
      issues: [{ path: ["update", "content", "type"], message: "must be a string (got number)" }],
    });
  });

  it("does not excuse a known tag with a malformed payload", () => {
    expect(decodePromptRequest.try({ sessionId: "s", prompt: [{ type: "image", data: "x" }] })).toMatchObject({
      issues: [{ path: ["prompt", 0, "mimeType"], message: "must be a string (missing)" }],
    });
  });
});

describe("alternatives without a tag", () => {
  const servers = (...mcpServers: object[]) => decodeNewSessionRequest.try({ cwd: "/", mcpServers });
  const stdio = { name: "a", command: "b", args: [], env: [] };

  it("are used where the tag is missing or unknown", () => {
    expect(servers(stdio)).toMatchObject({ ok: true, salvaged: [] });
    expect(servers({ ...stdio, type: "stdio", args: null })).toEqual({
      ok: true,
      value: { cwd: "/", mcpServers: [{ ...stdio, type: "stdio" }] },
      salvaged: [{ path: ["mcpServers", 0, "args"], message: "read as []: must be an array (got null)" }],
    });
    expect(servers({ type: "websocket", url: "ws://a" })).toMatchObject({ ok: true, salvaged: [] });
  });

  it("match the tag that version 2 gave them", () => {
    expect(servers({ name: "a", type: "stdio" })).toMatchObject({
      issues: [{ path: ["mcpServers", 0, "command"], message: "must be a string (missing)" }],
    });
  });

  it("lose an invalid tag", () => {
    expect(servers({ ...stdio, type: null })).toEqual({
      ok: true,
      value: { cwd: "/", mcpServers: [stdio] },
      salvaged: [{ path: ["mcpServers", 0, "type"], message: "left out: must be a string (got null)" }],
    });
  });

  it("take a known tag with a malformed payload, which then loses its tag", () => {
    const result = servers({ ...stdio, type: "http" });
    expect(result).toEqual({
      ok: true,
      value: { cwd: "/", mcpServers: [stdio] },
      salvaged: [{ path: ["mcpServers", 0, "type"], message: "left out: url: must be a string (missing)" }],
    });
    const option = { sessionId: "s", configId: "c", type: "boolean", value: "fast" };
    expect(decodeSetSessionConfigOptionRequest(option)).toEqual({ sessionId: "s", configId: "c", value: "fast" });
  });

  it("do not hide the fault of the intended variant", () => {
    expect(servers({ type: "http", name: "a", url: 5, headers: [] })).toMatchObject({
      issues: [{ path: ["mcpServers", 0, "url"], message: "must be a string (got number)" }],
    });
  });

  it("are distinguished by their members, and reported together where none is present", () => {
    const resource = (value: object) =>
      decodePromptRequest.try({ sessionId: "s", prompt: [{ type: "resource", resource: value }] });
    expect(resource({ uri: "a", blob: 5 })).toMatchObject({ issues: [{ path: ["prompt", 0, "resource", "blob"] }] });
    expect(resource({ uri: "a", text: 5 })).toMatchObject({ issues: [{ path: ["prompt", 0, "resource", "text"] }] });
    expect(resource({ uri: "a" })).toMatchObject({
      issues: [{ path: ["prompt", 0, "resource"], message: 'must have "text" or "blob"' }],
    });
  });

  it("leave no change behind when they are tried in vain", () => {
    // The first alternative would leave the mime type out before it finds that its text is missing.
    const contents = { uri: "a", blob: "eA==", mimeType: 5 };
    const result = decodePromptRequest.try({ sessionId: "s", prompt: [{ type: "resource", resource: contents }] });
    expect(result.ok && result.salvaged).toHaveLength(1);
  });

  it("are open inside a request with a scope, too", () => {
    const request = { mode: "qr", message: "scan", sessionId: "s", toolCallId: 5, code: "…" };
    expect(decodeCreateElicitationRequest.try(request)).toMatchObject({
      ok: true,
      value: { mode: "qr", code: "…" },
      salvaged: [{ path: ["toolCallId"] }],
    });
    expect(decodeCreateElicitationRequest.try({ mode: "qr", message: "scan" })).toMatchObject({
      issues: [{ path: [], message: 'must have "sessionId" or "requestId"' }],
    });
  });
});

describe("integers beyond 2^53", () => {
  it("are refused where they matter, with the reason", () => {
    const result = decodeCancelRequestNotification.try(JSON.parse('{"requestId":9223372036854775807}'));
    expect(result).toEqual({
      ok: false,
      issues: [
        {
          path: ["requestId"],
          message:
            "must be null, an integer or a string (got an integer beyond ±(2^53 − 1), which JSON.parse can't represent exactly)",
        },
      ],
    });
  });

  it("are left out where the schema is lenient", () => {
    const link = { type: "resource_link", name: "a", uri: "file:///a", size: 2 ** 60 };
    const result = decodePromptRequest.try({ sessionId: "s", prompt: [link] });
    expect(result).toMatchObject({ ok: true, salvaged: [{ path: ["prompt", 0, "size"] }] });
    expect(link).not.toHaveProperty("size");
  });

  it("are kept where any value is allowed", () => {
    const value = update({ sessionUpdate: "tool_call_update", toolCallId: "t", rawOutput: { bytes: 2 ** 60 } });
    expect(decodeSessionNotification.try(value)).toMatchObject({ ok: true, value, salvaged: [] });
  });
});

describe("an absent value", () => {
  it("is empty params", () => {
    expect(decodeLogoutRequest.try(undefined)).toEqual({ ok: true, value: {}, salvaged: [] });
    expect(decodeLogoutRequest.try(null)).toEqual({ ok: true, value: {}, salvaged: [] });
    expect(decodeNewSessionRequest.try(undefined)).toMatchObject({ issues: [{ path: ["cwd"] }] });
  });

  it("is an empty result where nothing is required, and is reported", () => {
    expect(decodeAuthenticateResponse.try(null)).toEqual({
      ok: true,
      value: {},
      salvaged: [{ path: [], message: "read as {}: must be an object (got null)" }],
    });
    expect(decodePromptResponse.try(null)).toMatchObject({ ok: false, issues: [{ path: [] }] });
  });
});

describe("members with dangerous names", () => {
  it("are treated like any other: nothing is inherited from them", () => {
    const value = JSON.parse('{"__proto__":{"sessionId":"s","prompt":[]},"constructor":{"prototype":{"polluted":1}}}');
    expect(decodePromptRequest.try(value)).toMatchObject({ ok: false, issues: [{ path: ["sessionId"] }] });
    const text = '{"sessionId":"s","prompt":[],"__proto__":{"polluted":true},"_meta":{"__proto__":{"polluted":true}}}';
    const decoded = decodePromptRequest(JSON.parse(text));
    expect(JSON.stringify(decoded)).toBe(text);
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });

  it("are named when they are malformed", () => {
    const env = JSON.parse('{"__proto__":5}');
    const authMethods = [{ type: "terminal", id: "a", name: "A", env }];
    const result = decodeInitializeResponse.try({ protocolVersion: 1, authMethods });
    // A terminal method with an invalid environment can still match an agent's own method.
    expect(result.ok && result.salvaged.map(formatIssue)).toEqual([
      "authMethods[0].type: left out: env.__proto__: must be a string (got number)",
    ]);
  });

  it("are not methods", () => {
    for (const table of [agentDecoders, clientDecoders] satisfies DecoderTable[]) {
      for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
        expect((table as DecoderTable).params[name]).toBeUndefined();
        expect((table as DecoderTable).results[name]).toBeUndefined();
      }
    }
  });
});

describe("the tables", () => {
  it("hold what each side receives", () => {
    expect(Object.keys(agentDecoders.params)).toEqual(
      expect.arrayContaining([
        "initialize",
        "authenticate",
        "logout",
        "session/new",
        "session/load",
        "session/list",
        "session/delete",
        "session/resume",
        "session/close",
        "session/set_mode",
        "session/set_config_option",
        "session/prompt",
        "session/cancel",
        "$/cancel_request",
      ]),
    );
    expect(Object.keys(clientDecoders.params)).toEqual(
      expect.arrayContaining([
        "fs/write_text_file",
        "fs/read_text_file",
        "session/request_permission",
        "terminal/create",
        "terminal/output",
        "terminal/release",
        "terminal/wait_for_exit",
        "terminal/kill",
        "elicitation/create",
        "session/update",
        "elicitation/complete",
        "$/cancel_request",
      ]),
    );
    for (const [results, params, least] of [
      [agentDecoders.results, clientDecoders.params, 9],
      [clientDecoders.results, agentDecoders.params, 12],
    ] as const) {
      const answered = Object.keys(results);
      expect(answered).toEqual(Object.keys(params).filter((method) => answered.includes(method)));
      expect(answered.length).toBeGreaterThanOrEqual(least);
    }
    expect(clientDecoders.params["session/update"]).toBe(decodeSessionNotification);
  });
});
