import { RpcError } from "@acp-kit/protocol";
import { describe, expect, test, vi } from "vitest";
import { type ClientPeer, connect, prompt, signal, withSession } from "../test/connect.js";

const params = { sessionId: "s1", cwd: "/work", mcpServers: [] };
const load = (peer: ClientPeer, options?: { readonly signal: AbortSignal }) =>
  peer.request("session/load", params, options);
const close = (peer: ClientPeer) => peer.request("session/close", { sessionId: "s1" });

describe("a session that is being loaded", () => {
  test("accepts prompts after the load", async () => {
    const { happened, happen } = signal();
    const { peer, sent } = await connect({ definition: { loadSession: () => happened } });
    const loaded = load(peer);
    await expect(prompt(peer)).rejects.toMatchObject({ code: -32002 });
    happen();
    await loaded;
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
    expect(sent).toEqual(["response:3", "response:2", "response:4"]);
  });

  test("stays open for a second load when the first is cancelled", async () => {
    const [first, second] = [signal(), signal()];
    const loads = [first, second];
    const { peer, updates } = await connect({
      definition: {
        loadSession: async (_, { session, signal: cancelled }) => {
          const replay = session("s1");
          await loads.shift()?.happened;
          cancelled.throwIfAborted();
          void replay.message("history");
        },
        prompt: async (turn) => void turn.message("answer"),
      },
    });
    const controller = new AbortController();
    const cancelled = load(peer, { signal: controller.signal });
    const loaded = load(peer);
    controller.abort();
    first.happen();
    await expect(cancelled).rejects.toMatchObject({ code: -32800 });
    second.happen();
    await loaded;
    await prompt(peer);
    expect(updates.map(({ update }) => update)).toMatchObject([
      { content: { text: "history" } },
      { content: { text: "answer" } },
    ]);
  });

  test.each(["session/load", "session/resume"] as const)(
    "leaves nothing when %s fails: later updates are dropped, and another one begins anew",
    async (method) => {
      let fails = true;
      const open = (): void => {
        if (fails) throw new RpcError(-32002, "gone");
      };
      const { peer, updates, connection, diagnostics } = await connect({
        definition: {
          loadSession: (_, { session }) => {
            session("s1").permissions.remember({ scope: "edit", allowed: true });
            open();
          },
          resumeSession: (_, { session }) => {
            session("s1").permissions.remember({ scope: "edit", allowed: true });
            void session("s1").message("held");
            open();
          },
        },
      });
      const early = connection.session("s1");
      await expect(peer.request(method, params)).rejects.toMatchObject({ code: -32002 });
      void early.message("of the session that could not be opened");
      expect(diagnostics).toMatchObject([{ code: "update_dropped" }]);
      expect(connection.session("s1").permissions.remembered).toEqual([]);
      fails = false;
      await peer.request(method, params);
      await prompt(peer);
      const expected = method === "session/resume" ? ["held"] : [];
      expect(updates.map(({ update }) => (update as { content: { text: string } }).content.text)).toEqual(expected);
    },
  );

  test("stays active when another load of it fails", async () => {
    let fails = false;
    const { peer } = await connect({
      definition: {
        loadSession: () => {
          if (fails) throw new RpcError(-32603, "corrupt");
        },
      },
    });
    await load(peer);
    fails = true;
    await expect(load(peer)).rejects.toThrow("corrupt");
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });

  test("sends its history before the error, if beforeUpdate is async", async () => {
    const { peer, sent } = await connect({
      definition: {
        beforeUpdate: () => new Promise<void>((resolve) => setImmediate(resolve)),
        loadSession: (_, { session }) => {
          void session("s1").message("history");
          throw new RpcError(-32603, "corrupt");
        },
      },
    });
    await expect(load(peer)).rejects.toThrow("corrupt");
    expect(sent).toEqual(["update:agent_message_chunk", "response:2"]);
  });
});

describe("a session that is being closed", () => {
  test("turn.closing-cancels: accepts no prompt from the request on", async () => {
    const { happened, happen } = signal();
    const played: string[] = [];
    const { peer, sent } = await withSession({
      definition: {
        closeSession: () => happened,
        prompt: async (turn) => {
          played.push(turn.text);
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
          await new Promise((resolve) => setImmediate(resolve)); // still ends when the next prompt arrives
        },
      },
    });
    const running = prompt(peer, "running");
    await vi.waitFor(() => expect(played).toEqual(["running"]));
    const closed = close(peer);
    await expect(prompt(peer, "while the turn ends")).rejects.toMatchObject({ code: -32002 });
    expect(await running).toEqual({ stopReason: "cancelled" });
    await expect(prompt(peer, "while the handler runs")).rejects.toMatchObject({ code: -32002 });
    happen();
    await closed;
    expect(played).toEqual(["running"]);
    expect(sent).toEqual(["response:5", "response:3", "response:6", "response:4"]);
  });

  test("is still active when its handler fails", async () => {
    const { peer } = await withSession({
      definition: {
        closeSession: () => {
          throw new RpcError(-32603, "busy");
        },
      },
    });
    await expect(close(peer)).rejects.toThrow("busy");
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
  });

  test("is loaded again after the close, if the client sends both at once", async () => {
    const { happened, happen } = signal();
    const { peer, sent } = await withSession({
      definition: {
        closeSession: () => happened,
        loadSession: (_, { session }) => void session("s1").message("history"),
      },
    });
    const both = [close(peer), load(peer)];
    happen();
    await Promise.all(both);
    expect(await prompt(peer)).toEqual({ stopReason: "end_turn" });
    expect(sent).toEqual(["response:3", "update:agent_message_chunk", "response:4", "response:5"]);
  });

  test("is deleted after the close, if the client sends both at once", async () => {
    const { happened, happen } = signal();
    const calls: string[] = [];
    const { peer } = await withSession({
      definition: {
        closeSession: async () => {
          await happened;
          calls.push("close");
        },
        deleteSession: () => void calls.push("delete"),
      },
    });
    const both = [close(peer), peer.request("session/delete", { sessionId: "s1" })];
    happen();
    await Promise.all(both);
    expect(calls).toEqual(["close", "delete"]);
  });
});
