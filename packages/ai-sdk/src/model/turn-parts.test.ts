import type { PromptTurn } from "@acp-kit/client";
import { expect, test } from "vitest";
import { turnParts } from "./turn-parts.js";

test("a call of version 2 that is cancelled has an error as its result, with the content that arrived item by item", async () => {
  const item = (text: string) => ({ type: "content", content: { type: "text", text } });
  const call = {
    sessionUpdate: "tool_call",
    toolCallId: "c1",
    title: "Run",
    status: "in_progress",
    rawInput: { a: 1 },
  };
  const turn = {
    session: { sessionId: "s1" },
    result: Promise.resolve({ stopReason: "end_turn" }),
    async *[Symbol.asyncIterator]() {
      yield { ...call, content: [item("one")] };
      yield { sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", content: item("two") };
      yield { sessionUpdate: "tool_call_content_chunk", toolCallId: "nobody", content: item("lost") };
      yield { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "cancelled" };
    },
  } as unknown as PromptTurn;
  const results: unknown[] = [];
  for await (const part of turnParts(turn, { warnings: [], raw: false, signal: undefined }))
    if (part.type === "tool-result") results.push(part);
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ toolCallId: "c1", isError: true });
  expect(JSON.stringify(results)).toContain("two");
  expect(JSON.stringify(results)).not.toContain("lost");
});

test("text.whole-characters: no delta of a text has half a character", async () => {
  const chunk = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const turn = {
    session: { sessionId: "s1" },
    result: Promise.resolve({ stopReason: "end_turn" }),
    async *[Symbol.asyncIterator]() {
      yield* [chunk("Deployed \ud83d"), chunk("\ude80"), chunk("done \ud83c")];
    },
  } as unknown as PromptTurn;
  const deltas: string[] = [];
  for await (const part of turnParts(turn, { warnings: [], raw: false, signal: undefined }))
    if (part.type === "text-delta") deltas.push(part.delta);
  expect(deltas).toEqual(["Deployed ", "\u{1f680}", "done "]);
});
