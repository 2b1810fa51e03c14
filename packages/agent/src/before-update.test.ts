import { RpcError } from "@acp-kit/protocol";
import type { SessionNotification } from "@acp-kit/types";
import { describe, expect, test, vi } from "vitest";
import { prompt, signal, withSession } from "../test/connect.js";

const textOf = ({ update }: SessionNotification) => (update as { content: { text: string } }).content.text;

describe("beforeUpdate", () => {
  test("receives each update, in order, those included that waited for the session to be created", async () => {
    const written: string[] = [];
    const { peer, updates } = await withSession({
      definition: {
        beforeUpdate: (params) => void written.push(textOf(params)),
        newSession: (_, { session }) => {
          void session("s1").message("early");
          return { sessionId: "s1" };
        },
        prompt: async (turn) => {
          await turn.message("a");
          await turn.message("b");
        },
      },
    });
    await prompt(peer);
    expect(written).toEqual(["early", "a", "b"]);
    expect(updates.map(textOf)).toEqual(written);
  });

  test("delays an update until it is persisted; later updates and the response wait, too", async () => {
    const { happened, happen } = signal();
    const { peer, updates, sent } = await withSession({
      capabilities: { fs: { readTextFile: true } },
      client: (client) => client.handle("fs/read_text_file", () => ({ content: "" })),
      definition: {
        beforeUpdate: (params) => (textOf(params) === "slow" ? happened : undefined),
        prompt: async (turn) => {
          void turn.message("fast");
          void turn.message("slow");
          void turn.message("after");
          const read = turn.client.readTextFile({ path: "/a" });
          happen();
          await read;
          void turn.message("last");
        },
      },
    });
    await prompt(peer);
    expect(updates.map(textOf)).toEqual(["fast", "slow", "after", "last"]);
    expect(sent).toEqual([
      ...Array<string>(3).fill("update:agent_message_chunk"),
      "fs/read_text_file",
      "update:agent_message_chunk",
      expect.stringMatching(/^response:/),
    ]);
  });

  test("fails the turn with the error that it throws; the update is not sent", async () => {
    const { peer, updates, diagnostics } = await withSession({
      definition: {
        beforeUpdate: () => {
          throw new Error("disk full");
        },
        prompt: async (turn) => {
          turn.toolCall({ title: "x" });
        },
      },
    });
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32603 });
    expect(updates).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain("handler_failed");
  });

  test("fails the turn with the error that it rejects with, even if no code awaited the update", async () => {
    const { peer, updates, diagnostics } = await withSession({
      definition: {
        beforeUpdate: async (params) => {
          if (textOf(params) === "bad") throw new Error("disk full");
        },
        prompt: async (turn) => {
          void turn.message("good");
          void turn.message("bad");
          void turn.message("next");
        },
      },
    });
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32603 });
    expect(updates.map(textOf)).toEqual(["good", "next"]);
    expect(diagnostics.map(({ code }) => code)).toContain("update_not_persisted");
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32603 }); // reported once per turn: this one failed again
  });

  test("a cancelled turn is cancelled, persisted or not", async () => {
    const { peer } = await withSession({
      definition: {
        beforeUpdate: () => {
          throw new Error("disk full");
        },
        prompt: async (turn) => {
          const cancelled = new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
          await peer.notify("session/cancel", { sessionId: "s1" });
          await cancelled;
          await turn.message("x");
        },
      },
    });
    await expect(prompt(peer)).resolves.toEqual({ stopReason: "cancelled" });
  });

  test.each(["fails", "is cancelled"])(
    "order.updates-before-response: CANCEL-08 has finished before the response to a turn that %s",
    async (how) => {
      const { peer, sent } = await withSession({
        definition: {
          beforeUpdate: () => new Promise<void>((resolve) => setImmediate(resolve)),
          prompt: async (turn) => {
            void turn.message("a");
            turn.toolCall({ title: "x" });
            if (how === "fails") throw new RpcError(-32000, "no model");
            const cancelled = new Promise((_, reject) =>
              turn.signal.addEventListener("abort", () => reject(turn.signal.reason)),
            );
            void peer.notify("session/cancel", { sessionId: "s1" });
            await cancelled;
          },
        },
      });
      const answer = prompt(peer);
      if (how === "fails") await expect(answer).rejects.toMatchObject({ code: -32000 });
      else await expect(answer).resolves.toEqual({ stopReason: "cancelled" });
      expect(sent).toEqual([
        "update:agent_message_chunk",
        "update:tool_call",
        "update:tool_call_update",
        expect.stringMatching(/^response:/),
      ]);
    },
  );

  test("fails no later turn, if the turn whose update it refuses has failed for another reason", async () => {
    const { peer } = await withSession({
      definition: {
        beforeUpdate: async (params) => {
          if (textOf(params) === "bad") throw new Error("disk full");
        },
        prompt: async (turn) => {
          void turn.message(turn.text);
          if (turn.text === "bad") throw new RpcError(-32000, "no model");
        },
      },
    });
    await expect(prompt(peer, "bad")).rejects.toMatchObject({ code: -32000 });
    await expect(prompt(peer, "good")).resolves.toEqual({ stopReason: "end_turn" });
  });

  test("has finished before the response to a load", async () => {
    const { happened, happen } = signal();
    const { peer, sent } = await withSession({
      definition: {
        beforeUpdate: () => happened,
        loadSession: (_, { session }) => {
          void session("s1").message("history");
          queueMicrotask(happen);
        },
      },
    });
    await peer.request("session/load", { sessionId: "s1", cwd: "/work", mcpServers: [] });
    expect(sent).toEqual(["update:agent_message_chunk", expect.stringMatching(/^response:/)]);
  });

  test("fails `toolCall.terminal` with its error, and the terminal is released", async () => {
    const { peer, sent } = await withSession({
      capabilities: { terminal: true },
      client(client) {
        client.handle("terminal/create", () => ({ terminalId: "t1" }));
        client.handle("terminal/release", () => ({}));
      },
      definition: {
        beforeUpdate({ update }) {
          if (update.sessionUpdate === "tool_call_update" && update.status == null) throw new Error("disk full");
        },
        prompt: async (turn) => {
          const call = turn.toolCall({ title: "Build" });
          await expect(call.terminal({ command: "make" })).rejects.toThrow("disk full");
          await call.fail();
        },
      },
    });
    await prompt(peer);
    expect(sent).toContain("terminal/release");
  });

  test("may take longer than cancelGraceMs after a cancelled turn whose handler has stopped", async () => {
    vi.useFakeTimers();
    const { happened: stored, happen: store } = signal();
    const { happened: started, happen: start } = signal();
    const { peer, diagnostics } = await withSession({
      cancelGraceMs: 100,
      definition: {
        beforeUpdate: () => stored,
        prompt: async (turn) => {
          void turn.message("x");
          start();
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        },
      },
    });
    const answer = prompt(peer);
    await started;
    await peer.notify("session/cancel", { sessionId: "s1" });
    await vi.advanceTimersByTimeAsync(1_000);
    store();
    await vi.advanceTimersByTimeAsync(10);
    expect(await answer).toEqual({ stopReason: "cancelled" });
    expect(diagnostics).toEqual([]);
  });
});
