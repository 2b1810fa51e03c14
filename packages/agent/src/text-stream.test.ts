import { hasHalf } from "@acp-kit/protocol/internal";
import type { SessionNotification } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { prompt, withSession } from "../test/connect.js";
import type { Turn } from "./turn.js";

/** The updates of a turn: the texts of its chunks, and the kinds of the other updates. */
async function updatesOf(play: (turn: Turn) => Promise<void>): Promise<SessionNotification["update"][]> {
  const { peer, updates } = await withSession({ definition: { prompt: play } });
  await prompt(peer);
  return updates.map(({ update }) => update);
}

const textsOf = (updates: readonly SessionNotification["update"][]) =>
  updates.map((update) =>
    "content" in update && update.sessionUpdate.endsWith("_chunk")
      ? (update.content as { text?: string }).text
      : update.sessionUpdate,
  );

describe("a message that is streamed", () => {
  test("MSG-02 has one id in all its chunks, and another message has another", async () => {
    const updates = await updatesOf(async (turn) => {
      const [first, second] = [turn.messageStream(), turn.messageStream()];
      for (const stream of [first, first, second]) await stream.write("x");
    });
    const [a, b, c] = updates.map((update) => (update as { messageId?: string }).messageId);
    expect(a).toMatch(/^msg_/);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });

  test("is a thought when it is one", async () => {
    const updates = await updatesOf(async (turn) => void (await turn.thoughtStream({ messageId: "t" }).write("hm")));
    expect(updates).toEqual([
      { sessionUpdate: "agent_thought_chunk", messageId: "t", content: { type: "text", text: "hm" } },
    ]);
  });

  test("is sent piece by piece by default; empty text sends nothing", async () => {
    const updates = await updatesOf(async (turn) => {
      const stream = turn.messageStream();
      for (const text of ["a", "", "b"]) await stream.write(text);
    });
    expect(textsOf(updates)).toEqual(["a", "b"]);
  });
});

describe("text.whole-characters: pieces that are cut within a character", () => {
  const pieces = ["Deployed \ud83d", "\ude80 and ", "", "done \ud83c", "\udf89"];
  const whole = ["Deployed ", "\u{1f680} and ", "done ", "\u{1f389}"];

  test.each([
    ["a stream", (turn: Turn) => turn.messageStream()],
    ["a stream that joins text", (turn: Turn) => turn.messageStream({ coalesceMs: 0 })],
    ["separate chunks", (turn: Turn) => ({ write: (text: string) => turn.message(text) })],
  ])("have whole characters in %s", async (_, open) => {
    const updates = await updatesOf(async (turn) => {
      const stream = open(turn);
      for (const piece of pieces) await stream.write(piece);
    });
    expect(
      textsOf(updates)
        .filter((text) => text !== "")
        .join(""),
    ).toBe(whole.join(""));
    expect(textsOf(updates).filter((text) => hasHalf(text ?? ""))).toEqual([]);
  });

  test("are joined although a tool call and a thought came in between; a half that stays alone is replaced or left out", async () => {
    const updates = await updatesOf(async (turn) => {
      const stream = turn.messageStream();
      await stream.write("a\ud83d");
      await turn.toolCall({ title: "x" }).complete();
      await turn.thought("hm");
      await stream.write("\ude80\udc00b");
      await turn.message("c\ud83d");
    });
    expect(textsOf(updates)).toEqual(["a", "tool_call", "tool_call_update", "hm", "\u{1f680}\ufffdb", "c"]);
  });
});

describe("a message whose text is joined", () => {
  test("is sent as one chunk for the text of one tick", async () => {
    const updates = await updatesOf(async (turn) => {
      const stream = turn.messageStream({ coalesceMs: 0 });
      for (const text of ["a", "b", "c"]) await stream.write(text);
    });
    expect(textsOf(updates)).toEqual(["abc"]);
  });

  test("is sent after coalesceMs", async () => {
    vi.useFakeTimers();
    const { peer, updates } = await withSession({
      definition: {
        prompt: async (turn) => {
          const stream = turn.messageStream({ coalesceMs: 50 });
          await stream.write("a");
          await new Promise((resolve) => setTimeout(resolve, 49));
          await stream.write("b");
          await new Promise((resolve) => setTimeout(resolve, 1));
          await stream.write("c");
        },
      },
    });
    const answer = prompt(peer);
    await vi.advanceTimersByTimeAsync(100);
    await answer;
    expect(textsOf(updates.map(({ update }) => update))).toEqual(["ab", "c"]);
  });

  test("is sent before anything later: updates, other messages, requests, the response", async () => {
    const { peer, sent } = await withSession({
      capabilities: { fs: { readTextFile: true } },
      client: (client) => client.handle("fs/read_text_file", () => ({ content: "" })),
      definition: {
        prompt: async (turn) => {
          const stream = turn.messageStream({ coalesceMs: 1_000 });
          await stream.write("a");
          await turn.thought("b");
          await stream.write("c");
          await turn.client.readTextFile({ path: "/a" });
          await stream.write("d");
          await turn.thoughtStream({ coalesceMs: 1_000 }).write("e");
        },
      },
    });
    await prompt(peer);
    expect(sent).toEqual([
      "update:agent_message_chunk",
      "update:agent_thought_chunk",
      "update:agent_message_chunk",
      "fs/read_text_file",
      "update:agent_message_chunk",
      "update:agent_thought_chunk",
      expect.stringMatching(/^response:/),
    ]);
  });

  test("joins neither blocks nor text with annotations", async () => {
    const updates = await updatesOf(async (turn) => {
      const stream = turn.messageStream({ coalesceMs: 0 });
      await stream.write("a");
      await stream.write({ type: "text", text: "b", annotations: { priority: 1 } });
      await stream.write({ type: "resource_link", uri: "file:///a", name: "a" });
      await stream.write("c");
    });
    expect(updates.map((update) => (update as { content: { type: string } }).content.type)).toEqual([
      "text",
      "text",
      "resource_link",
      "text",
    ]);
  });

  test("is dropped and reported after its turn", async () => {
    let late: Turn | undefined;
    const { peer, diagnostics, updates } = await withSession({
      definition: {
        prompt: async (turn) => {
          late = turn;
        },
      },
    });
    await prompt(peer);
    void late?.messageStream({ coalesceMs: 0 }).write("late");
    expect(diagnostics).toMatchObject([{ code: "update_after_turn" }]);
    expect(updates).toEqual([]);
  });
});
