import type { ContentBlock, SessionUpdate } from "@acp-kit/types";
import { modelMessageSchema } from "ai";
import { describe, expect, test } from "vitest";
import { type HistoryEntry, modelMessages } from "./model-messages.js";
import { userContent } from "./user-content.js";

const prompt = (text: string): HistoryEntry => ({ entry: { type: "prompt", prompt: [{ type: "text", text }] } });
const update = (one: SessionUpdate): HistoryEntry => ({ entry: { type: "update", update: one } });
const says = (text: string): HistoryEntry =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: "m" });
const end: HistoryEntry = { entry: { type: "end" } };
const begins = (toolCallId: string): HistoryEntry =>
  update({ sessionUpdate: "tool_call", toolCallId, title: "Read a", name: "read_file", status: "pending" });
const runs = (toolCallId: string): HistoryEntry =>
  update({ sessionUpdate: "tool_call_update", toolCallId, rawInput: { path: "/a" }, status: "in_progress" });
const ends = (toolCallId: string): HistoryEntry =>
  update({ sessionUpdate: "tool_call_update", toolCallId, rawOutput: "content", status: "completed" });

const shapes = (history: HistoryEntry[]): string[] =>
  modelMessages(history).map(({ role, content }) => {
    const parts = typeof content === "string" ? [content] : content.map(({ type }) => type);
    return `${role}: ${parts.join(", ")}`;
  });

describe("the messages of a log", () => {
  test("are prompts, texts and calls with their results", () => {
    const messages = modelMessages([
      prompt("Read a"),
      says("Let me "),
      says("look"),
      begins("c1"),
      runs("c1"),
      ends("c1"),
      says("It says content"),
      end,
    ]);
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Read a" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look" },
          { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: { path: "/a" } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c1", toolName: "read_file", output: { type: "text", value: "content" } },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "It says content" }] },
    ]);
    for (const message of messages) expect(modelMessageSchema.safeParse(message).success).toBe(true);
  });

  test("keep parallel calls in one message, and later calls in another", () => {
    const together = [begins("c1"), begins("c2"), ends("c2"), ends("c1")];
    expect(shapes([prompt("x"), ...together, begins("c3"), ends("c3")])).toEqual([
      "user: text",
      "assistant: tool-call, tool-call",
      "tool: tool-result, tool-result",
      "assistant: tool-call",
      "tool: tool-result",
    ]);
  });

  test("add results for calls that a crash interrupted, so that a model accepts them", () => {
    const messages = modelMessages([prompt("x"), begins("c1"), runs("c1"), prompt("y")]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(JSON.stringify(messages[2])).toContain("The turn was interrupted before the tool had finished");
  });

  test("contain the reason why a call failed", () => {
    const failed = update({
      sessionUpdate: "tool_call_update",
      toolCallId: "c1",
      status: "failed",
      content: [{ type: "content", content: { type: "text", text: "No such file" } }],
    });
    expect(modelMessages([prompt("x"), begins("c1"), failed])[2]).toMatchObject({
      content: [{ output: { type: "error-text", value: "No such file" } }],
    });
  });

  test("omit thoughts, and calls that the provider ran", () => {
    const thought: SessionUpdate = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } };
    const theirs: SessionUpdate = {
      sessionUpdate: "tool_call",
      toolCallId: "c1",
      title: "Search",
      status: "completed",
      _meta: { "ai-sdk": { providerExecuted: true } },
    };
    expect(shapes([prompt("x"), update(thought), update(theirs), says("Found")])).toEqual([
      "user: text",
      "assistant: text",
    ]);
  });
});

test("[PROMPT] every content block of a prompt reaches the model", () => {
  const blocks: ContentBlock[] = [
    { type: "text", text: "a" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "resource", resource: { uri: "file:///b", text: "b" } },
    { type: "resource", resource: { uri: "file:///c", blob: "aGk=", mimeType: "application/pdf" } },
  ];
  expect(userContent([...blocks, { type: "_vendor" } as never])).toEqual([
    { type: "text", text: "a" },
    { type: "image", image: "aGk=", mediaType: "image/png" },
    { type: "file", data: "aGk=", mediaType: "audio/wav" },
    { type: "text", text: "[a](file:///a)" },
    { type: "text", text: '<resource uri="file:///b">\nb\n</resource>' },
    { type: "file", data: "aGk=", mediaType: "application/pdf" },
    { type: "text", text: "(content of an unknown type: _vendor)" },
  ]);
});
