import { extensionNotification, type StandardSchema } from "@acp-kit/protocol";
import { describe, expect, test, vi } from "vitest";
import { type Connected, connect, newSession, prompt, type Setup, signal, withSession } from "../test/connect.js";
import type { ClientConnection } from "./client-connection.js";

test("turn.cancel-is-never-lost: a turn that its handler cancels before the first await is cancelled", async () => {
  const agents: ClientConnection[] = [];
  const aborted: boolean[] = [];
  const connected = await connect({
    definition: {
      prompt: async (turn) => {
        agents[0]?.cancelTurn("s1");
        aborted.push(turn.signal.aborted);
      },
    },
  });
  agents.push(connected.connection);
  await newSession(connected.peer);
  expect(await prompt(connected.peer)).toEqual({ stopReason: "cancelled" });
  expect(aborted).toEqual([true]);
});

test("a queued prompt is cancelled by a handler that cancels before the first await", async () => {
  const agents: ClientConnection[] = [];
  const played: string[] = [];
  const connected = await connect({
    definition: {
      prompt: async (turn) => {
        played.push(turn.text);
        if (turn.text === "second") agents[0]?.cancelTurn("s1");
      },
    },
  });
  agents.push(connected.connection);
  await newSession(connected.peer);
  const answers = ["first", "second", "third"].map((text) => prompt(connected.peer, text));
  expect(await Promise.all(answers)).toEqual([
    { stopReason: "end_turn" },
    { stopReason: "cancelled" },
    { stopReason: "cancelled" },
  ]);
  expect(played).toEqual(["first", "second"]);
});

test.each(["answers", "fails"])(
  "order.next-turn-after-response: what a waiting turn sends immediately comes after the response of the turn before, which %s",
  async (how) => {
    const { peer, sent } = await withSession({
      definition: {
        prompt: async (turn) => {
          turn.message(turn.text);
          if (how === "fails") throw new Error("no model");
        },
      },
    });
    await Promise.allSettled([prompt(peer, "a"), prompt(peer, "b"), prompt(peer, "c")]);
    const chunk = "update:agent_message_chunk";
    expect(sent).toEqual([chunk, "response:3", chunk, "response:4", chunk, "response:5"]);
  },
);

test("order.next-turn-after-response: the first update of a queued turn is sent after the responses of all prompts that were merged into the previous turn", async () => {
  const queued = signal();
  const merged = signal();
  const { peer, sent } = await withSession({
    concurrentPrompts: "merge",
    definition: {
      prompt: async (turn) => {
        turn.message(turn.text);
        if (turn.text !== "a") return;
        await queued.happened;
        turn.onPrompt(() => merged.happen());
        await merged.happened;
      },
    },
  });
  const answers = [prompt(peer, "a"), prompt(peer, "waits")];
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  queued.happen();
  await Promise.resolve();
  answers.push(prompt(peer, "is merged"));
  await Promise.all(answers);
  const chunk = "update:agent_message_chunk";
  expect(sent).toEqual([chunk, "response:3", "response:5", chunk, "response:4"]);
});

test("turn.merge: a prompt that arrives after the cancel of the turn is no part of it, and is run after it", async () => {
  const played: string[] = [];
  const { peer } = await withSession({
    concurrentPrompts: "merge",
    definition: {
      prompt: async (turn) => {
        played.push(turn.text);
        turn.onPrompt(({ prompt: [block] }) => played.push(`merged: ${(block as { text: string }).text}`));
        if (turn.text !== "first") return;
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        await new Promise((resolve) => setImmediate(resolve)); // still ends when the next prompt arrives
      },
    },
  });
  const first = prompt(peer, "first");
  await vi.waitFor(() => expect(played).toEqual(["first"]));
  void peer.notify("session/cancel", { sessionId: "s1" });
  const second = prompt(peer, "second");
  expect(await Promise.all([first, second])).toEqual([{ stopReason: "cancelled" }, { stopReason: "end_turn" }]);
  expect(played).toEqual(["first", "second"]);
});

test("turn.merge: a prompt that arrives after the handler has returned is no part of the turn, and is run after it", async () => {
  const persisted = signal();
  const played: string[] = [];
  const { peer } = await withSession({
    concurrentPrompts: "merge",
    definition: {
      beforeUpdate: () => persisted.happened,
      prompt: async (turn) => {
        played.push(turn.text);
        turn.onPrompt(() => played.push("merged"));
        void turn.message("hi");
      },
    },
  });
  const first = prompt(peer, "first");
  await vi.waitFor(() => expect(played).toEqual(["first"]));
  const second = prompt(peer, "second");
  await new Promise((resolve) => setImmediate(resolve)); // the agent has received it
  persisted.happen();
  await Promise.all([first, second]);
  expect(played).toEqual(["first", "second"]);
});

test("closing a session responds to its turn first", async () => {
  const { peer, sent } = await withSession({
    definition: {
      closeSession: () => {},
      prompt: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", () => resolve())),
    },
  });
  await Promise.all([prompt(peer), prompt(peer), peer.request("session/close", { sessionId: "s1" })]);
  expect(sent).toEqual(["response:4", "response:3", "response:5"]);
});

/**
 * A session whose messages wait for the handler of an extension notification. The function `unblock` ends the handler.
 */
async function blockedSession(
  definition: Setup["definition"],
  before: (connected: Connected) => Promise<void>,
): Promise<Connected & { readonly unblock: () => void }> {
  const any: StandardSchema<unknown> = { "~standard": { version: 1, vendor: "t", validate: (value) => ({ value }) } };
  const { happened, happen } = signal();
  const started = signal();
  const slow = extensionNotification(any, () => {
    started.happen();
    return happened;
  });
  const connected = await withSession({ definition: { ...definition, extensions: { "_x/slow": slow } } });
  await before(connected);
  void connected.peer.extensionNotify("_x/slow", { sessionId: "s1" });
  await started.happened;
  return { ...connected, unblock: happen };
}

describe("a cancel that arrives while the handler of an earlier notification of its session runs", () => {
  const cancel = ({ peer }: Connected): void => void peer.notify("session/cancel", { sessionId: "s1" });

  /** Plays a turn until it is cancelled, and records its prompt. */
  function untilCancelled(): { readonly played: string[]; readonly definition: Setup["definition"] } {
    const played: string[] = [];
    const prompt: NonNullable<Setup["definition"]>["prompt"] = async (turn) => {
      played.push(turn.text);
      if (turn.text === "next") return;
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    };
    return { played, definition: { prompt } };
  }

  test("turn.cancel-is-never-lost: cancels the running turn immediately", async () => {
    const { played, definition } = untilCancelled();
    let answer: Promise<unknown> | undefined;
    const session = await blockedSession(definition, async ({ peer }) => {
      answer = prompt(peer, "first");
      await vi.waitFor(() => expect(played).toEqual(["first"]));
    });
    cancel(session);
    expect(await answer).toEqual({ stopReason: "cancelled" });
  });

  test("turn.cancel-is-never-lost: cancels a prompt that arrived before it and has not started", async () => {
    const { played, definition } = untilCancelled();
    const answers: Promise<unknown>[] = [];
    const session = await blockedSession(definition, async ({ peer }) => {
      answers.push(prompt(peer, "first"));
      await vi.waitFor(() => expect(played).toEqual(["first"]));
    });
    answers.push(prompt(session.peer, "waits"));
    cancel(session);
    expect(await answers[0]).toEqual({ stopReason: "cancelled" });
    session.unblock();
    expect(await answers[1]).toEqual({ stopReason: "cancelled" });
  });

  test("turn.cancel-after-response: does not cancel the next prompt, and nothing elsewhere", async () => {
    const { played, definition } = untilCancelled();
    const elsewhere = vi.fn();
    let answer: Promise<unknown> | undefined;
    const session = await blockedSession({ ...definition, cancelElsewhere: elsewhere }, async ({ peer }) => {
      answer = prompt(peer, "first");
      await vi.waitFor(() => expect(played).toEqual(["first"]));
    });
    cancel(session);
    await answer;
    const next = prompt(session.peer, "next");
    session.unblock();
    expect(await next).toEqual({ stopReason: "end_turn" });
    expect(elsewhere).not.toHaveBeenCalled();
  });
});
