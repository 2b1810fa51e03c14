import { describe, expect, it } from "vitest";
import {
  agentValidators,
  clientValidators,
  formatIssue,
  validateCreateElicitationRequest,
  validateNewSessionRequest,
  validatePromptRequest,
  validateSessionNotification,
} from "./validate.js";

const update = (fields: object) => ({ sessionId: "s", update: fields });
const chunk = (content: unknown) => update({ sessionUpdate: "agent_message_chunk", content });
const said = (issues: readonly { path: readonly PropertyKey[]; message: string }[]) => issues.map(formatIssue);

describe("a validator", () => {
  it("has nothing to say of a valid value", () => {
    expect(validateSessionNotification(chunk({ type: "text", text: "a", extra: 1 }))).toEqual([]);
  });

  it("repairs nothing: a malformed optional member is a fault", () => {
    const value = chunk({ type: "text", text: "a", annotations: { priority: "high" } });
    expect(said(validateSessionNotification(value))).toEqual(["update.content.annotations.priority: must be a number"]);
  });

  it("names the fault of the variant that was meant", () => {
    expect(said(validateSessionNotification(chunk({ type: "text" })))).toEqual([
      "update.content.text: must be present (missing)",
    ]);
    expect(
      said(validateNewSessionRequest({ cwd: "/", mcpServers: [{ type: "http", name: "a", url: 5, headers: [] }] })),
    )
      // With indices as numbers, as they came.
      .toEqual(["mcpServers[0].url: must be a string"]);
  });

  it("refuses tags that the schema does not know, where its union is closed", () => {
    expect(said(validateSessionNotification(chunk({ type: "video" })))).toEqual([
      'update.content.type: must be one of "text", "image", "audio", "resource_link", "resource"',
    ]);
    const open = { mode: "qr", message: "scan", sessionId: "s" };
    expect(validateCreateElicitationRequest(open)).toEqual([]);
    expect(said(validateCreateElicitationRequest({ ...open, mode: 5 }))).toEqual(["mode: must be a string"]);
  });

  it("picks, among alternatives without a tag, the one that got further", () => {
    const resource = (value: object) =>
      said(validatePromptRequest({ sessionId: "s", prompt: [{ type: "resource", resource: value }] }));
    expect(resource({ uri: "a", blob: 5 })).toEqual(["prompt[0].resource.blob: must be a string"]);
    expect(resource({ uri: "a", text: 5 })).toEqual(["prompt[0].resource.text: must be a string"]);
  });

  it("words what is out of bounds, of the wrong format, or none of the values", () => {
    const elicitation = { mode: "url", message: "m", sessionId: "s", elicitationId: "e", url: "nowhere" };
    expect(said(validateCreateElicitationRequest(elicitation))).toEqual(["url: must be an absolute URI"]);
    const location = (line: number) => ({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      locations: [{ path: "/a", line }],
    });
    expect(said(validateSessionNotification(update(location(-1))))).toEqual(["update.locations[0].line: must be >= 0"]);
    expect(said(validateSessionNotification(update(location(2 ** 32))))).toEqual([
      "update.locations[0].line: must be <= 4294967295",
    ]);
    const notice = { sessionUpdate: "notice", severity: "info", title: "" };
    expect(said(validateSessionNotification(update(notice)))).toEqual(["update.title: must be a non-empty string"]);
    const plan = { sessionUpdate: "plan", entries: [{ content: "a", priority: "urgent", status: "pending" }] };
    expect(said(validateSessionNotification(update(plan)))).toEqual([
      'update.entries[0].priority: must be one of "high", "medium", "low"',
    ]);
  });

  it("refuses integers that would arrive as others", () => {
    const usage = { sessionUpdate: "usage_update", used: 2 ** 53, size: 1 };
    expect(said(validateSessionNotification(update(usage)))).toEqual(["update.used: must be <= 9007199254740991"]);
  });

  it("is a Standard Schema", () => {
    const value = chunk({ type: "text", text: "a" });
    const { version, vendor, validate } = validateSessionNotification["~standard"];
    expect({ version, vendor }).toEqual({ version: 1, vendor: "acp-kit" });
    expect(validate(value)).toEqual({ value });
    expect(validate(chunk({ type: "text" }))).toEqual({
      issues: [{ path: ["update", "content", "text"], message: "must be present (missing)" }],
    });
  });
});

it("has a table of what each side sends", () => {
  expect(agentValidators.params["session/update"]).toBe(validateSessionNotification);
  expect(clientValidators.params["session/prompt"]).toBe(validatePromptRequest);
  // An agent handles the requests that a client sends. Requests come before notifications.
  const answered = Object.keys(agentValidators.results);
  expect(answered).toEqual(Object.keys(clientValidators.params).slice(0, answered.length));
  expect(answered.length).toBeGreaterThanOrEqual(12);
  expect((clientValidators.params as Record<string, unknown>).constructor).toBeUndefined();
});
