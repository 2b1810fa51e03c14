import { expect, test, vi } from "vitest";
import { connect, newSession, prompt, signal, withSession } from "../test/connect.js";
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

test("a prompt that arrives when the handler of the turn has ended is queued, and not merged into the turn", async () => {
  const [ended, persisted] = [signal(), signal()];
  const played: string[] = [];
  const merged: unknown[] = [];
  const { peer } = await withSession({
    concurrentPrompts: "merge",
    definition: {
      beforeUpdate: () => persisted.happened,
      prompt: async (turn) => {
        played.push(turn.text);
        turn.onPrompt((request) => merged.push(request));
        turn.message("done");
        ended.happen();
      },
    },
  });
  const first = prompt(peer, "a");
  await ended.happened;
  await new Promise(setImmediate); // the turn now waits until its update is persisted
  const second = prompt(peer, "b");
  await new Promise(setImmediate);
  persisted.happen();
  expect(await Promise.all([first, second])).toEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
  expect(played).toEqual(["a", "b"]);
  expect(merged).toEqual([]);
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
