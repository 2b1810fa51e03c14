import { describe, expect, it } from "vitest";
import {
  clientDecoders,
  type DecoderTable,
  decodeUpdateSessionNotification as decode,
  decodeCreateElicitationRequest,
  decodeInitializeResponse,
  decodeNewSessionRequest,
  decodePromptRequest,
  decodeRequestPermissionRequest,
  formatIssue,
} from "./decode.js";

const update = (fields: object) => ({ sessionId: "s", update: fields });
const said = (result: ReturnType<typeof decode.try>) => (result.ok ? result.salvaged : result.issues).map(formatIssue);

describe("two tags in one object", () => {
  const state = (fields: object) => update({ sessionUpdate: "state_update", ...fields });

  it("lead to the payload of the inner one", () => {
    expect(said(decode.try(state({ state: "idle", stopReason: "end_turn" })))).toEqual([]);
    expect(said(decode.try(state({})))).toEqual(["update.state: must be a string (missing)"]);
    expect(said(decode.try(state({ state: "hibernating", since: 5 })))).toEqual([]);
  });

  it("may leave the inner tag out, where it is optional", () => {
    for (const fields of [{}, { stopReason: null }, { stopReason: "_vendor/reason", more: 1 }]) {
      const value = state({ state: "idle", ...fields });
      expect(decode.try(structuredClone(value))).toEqual({ ok: true, value, salvaged: [] });
    }
  });

  it("lose a malformed optional tag, and report it", () => {
    expect(decode.try(state({ state: "idle", stopReason: 5 }))).toEqual({
      ok: true,
      value: state({ state: "idle" }),
      salvaged: [{ path: ["update", "stopReason"], message: "left out: must be a string or null (got number)" }],
    });
  });
});

describe("a catch-all", () => {
  const init = (method: object) => ({ protocolVersion: 2, info: { name: "a", version: "1" }, authMethods: [method] });

  it("requires the members that all variants have in common", () => {
    const known = { type: "_sso", methodId: "m", name: "SSO", tenant: "t" };
    expect(decodeInitializeResponse.try(init(known))).toMatchObject({ ok: true, value: init(known), salvaged: [] });
    const { methodId: _, ...without } = known;
    expect(decodeInitializeResponse.try(init(without))).toMatchObject({
      ok: true,
      value: { authMethods: [] },
      salvaged: [{ path: ["authMethods", 0], message: "left out: methodId: must be a string (missing)" }],
    });
  });

  it("accepts no known tag", () => {
    expect(decodeNewSessionRequest.try({ cwd: "/", mcpServers: [{ type: "stdio", name: "a" }] })).toMatchObject({
      issues: [{ path: ["mcpServers", 0, "command"] }],
    });
  });
});

describe("scopes", () => {
  const request = { mode: "url", message: "m", elicitationId: "e", url: "https://a.b" };

  it("are exactly one", () => {
    expect(decodeCreateElicitationRequest.try({ ...request, sessionId: "s" })).toMatchObject({ ok: true });
    expect(decodeCreateElicitationRequest.try({ ...request, requestId: 1 })).toMatchObject({ ok: true });
    expect(decodeCreateElicitationRequest.try({ ...request, sessionId: "s", requestId: 1 })).toMatchObject({
      ok: false,
      issues: [{ path: [], message: expect.stringContaining("only one of 2 alternatives") }],
    });
    expect(decodeCreateElicitationRequest.try(request)).toMatchObject({
      issues: [{ message: 'must have "sessionId" or "requestId"' }],
    });
  });
});

describe("formats and bounds", () => {
  it("hold for required members", () => {
    expect(decodePromptRequest.try({ sessionId: "s", prompt: [] })).toMatchObject({
      issues: [{ path: ["prompt"], message: "must be an array with 1 or more items (got 0)" }],
    });
    const link = { type: "resource_link", name: "a", uri: "a.ts" };
    expect(decodePromptRequest.try({ sessionId: "s", prompt: [link] })).toMatchObject({
      issues: [{ path: ["prompt", 0, "uri"], message: "must be an absolute URI (got string)" }],
    });
    expect(decodeRequestPermissionRequest.try({ sessionId: "s", title: "t", options: [] }).ok).toBe(false);
  });

  it("leave lenient members out", () => {
    expect(said(decode.try(update({ sessionUpdate: "session_info_update", updatedAt: "yesterday" })))).toEqual([
      "update.updatedAt: left out: must be an RFC 3339 date-time or null (got string)",
    ]);
    const size = { cols: 0, rows: 24 };
    expect(said(decode.try(update({ sessionUpdate: "terminal_update", terminalId: "t", size })))).toEqual([
      "update.size: left out: cols: must be an integer from 1 up to 65535 (got number)",
    ]);
  });
});

it("has a table that a dispatcher can index with any string", () => {
  const table: DecoderTable = clientDecoders;
  expect(table.params["session/update"]).toBe(decode);
  expect(table.params.toString).toBeUndefined();
});
