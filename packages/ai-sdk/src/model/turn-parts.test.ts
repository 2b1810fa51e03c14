import type { PromptTurn } from "@acp-kit/client";
import { expect, test } from "vitest";
import { turnParts } from "./turn-parts.js";

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
