import { type AgentDefinition, RpcError, type Turn } from "@acp-kit/agent";
import { describe, expect, test } from "vitest";
import { type Connected, connect, load, newSession, prompt, resume, signal } from "../test/connect.js";
import { StoreError } from "./errors.js";
import { memoryStore } from "./memory-store.js";
import type { SessionStore } from "./session-store.js";
import { type RestoredSession, type WithSessionsOptions, withSessions } from "./with-sessions.js";

interface Setup extends WithSessionsOptions {
  readonly store?: SessionStore;
  readonly definition?: Partial<AgentDefinition>;
}

/** An agent that echoes its prompts. */
function echoing({ store = memoryStore(), definition = {}, ...options }: Setup = {}): AgentDefinition {
  let next = 0;
  return withSessions(
    {
      info: { name: "test", version: "1" },
      newSession: () => ({ sessionId: `s${next++}` }),
      prompt: async (turn) => {
        await turn.message(`You said: ${turn.text}`);
      },
      ...definition,
    },
    store,
    options,
  );
}

const sessionIdsOf = async ({ peer }: Connected, params: object = {}) =>
  (await peer.request("session/list", params)).sessions.map(({ sessionId }) => sessionId);

describe("an agent with sessions", () => {
  test("advertises the capabilities it gains", async () => {
    const { initialized } = await connect(echoing());
    expect(initialized.agentCapabilities).toMatchObject({
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    });
  });

  test("refuses a definition that already has these handlers", () => {
    const definition = {
      newSession: () => ({ sessionId: "s" }),
      prompt: async () => {},
      info: { name: "x", version: "1" },
    };
    expect(() => withSessions({ ...definition, loadSession: () => {} } as never, memoryStore())).toThrow(
      new TypeError("withSessions adds the handlers loadSession: remove them from the definition"),
    );
  });

  test("history.whole-replay: SESS-14 SESS-15 replays the whole conversation on load, before the response", async () => {
    const definition = echoing();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, "one");
    await prompt(first, sessionId, "two");
    const second = await connect(definition);
    const order: string[] = [];
    second.peer.handleNotification("session/update", ({ update }) => void order.push(update.sessionUpdate));
    await load(second, sessionId);
    order.push("answer");
    const [user, agent] = ["user_message_chunk", "agent_message_chunk"];
    expect(order).toEqual([user, "session_info_update", agent, user, agent, "answer"]);
  });

  test("replays the conversation on load, in order, and continues from there", async () => {
    const definition = echoing();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, "one");
    const second = await connect(definition);
    await load(second, sessionId);
    expect(second.heard()).toEqual(["one", "You said: one"]);
    await prompt(second, sessionId, "two");
    const third = await connect(definition);
    await load(third, sessionId);
    expect(third.heard()).toEqual(["one", "You said: one", "two", "You said: two"]);
  });

  test("SESS-23 replays nothing on resume", async () => {
    const definition = echoing();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, "one");
    const second = await connect(definition);
    await resume(second, sessionId);
    expect(second.heard()).toEqual([]);
    await prompt(second, sessionId, "two");
    expect(second.heard()).toEqual(["You said: two"]);
  });

  test("SESS-34 sends usage after resume, if known", async () => {
    const definition = echoing({
      definition: { prompt: async (turn) => void (await turn.usage({ used: 5, size: 10 })) },
    });
    const first = await connect(definition);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, "one");
    const second = await connect(definition);
    await resume(second, sessionId);
    await sessionIdsOf(second);
    expect(second.updates).toEqual([{ sessionUpdate: "usage_update", used: 5, size: 10 }]);
  });

  test("restores the agent's state, and responds with what `restore` returns", async () => {
    const restored: RestoredSession[] = [];
    const modes = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] };
    const definition = echoing({
      restore: (session) => {
        restored.push(session);
        return { modes };
      },
    });
    const first = await connect(definition);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, "one");
    await expect(load(await connect(definition), sessionId)).resolves.toEqual({ modes });
    expect(restored[0]).toMatchObject({ sessionId, record: { cwd: "/work", title: "one" } });
    expect(restored[0]?.history.map(({ entry }) => entry.type)).toEqual(["prompt", "update", "update", "end"]);
  });

  test("SESS-31 refuses a session that doesn't exist", async () => {
    const connected = await connect(echoing());
    for (const open of [load, resume]) {
      await expect(open(connected, "nope")).rejects.toMatchObject({ code: -32002, data: { sessionId: "nope" } });
    }
  });

  test("LIST-06 lists sessions with title and time, newest first, in pages, by cwd", async () => {
    const connected = await connect(echoing({ pageSize: 2 }));
    const { peer } = connected;
    const ids = [await newSession(connected), await newSession(connected), await newSession(connected)];
    await prompt(connected, ids[2] ?? "", "Fix the typo\nin a.ts");
    const first = await peer.request("session/list", {});
    expect(first.sessions).toEqual([
      { sessionId: "s2", cwd: "/work", title: "Fix the typo", updatedAt: expect.stringMatching(/Z$/) },
      { sessionId: "s1", cwd: "/work", updatedAt: expect.any(String) },
    ]);
    expect(await sessionIdsOf(connected, { cursor: first.nextCursor })).toEqual(["s0"]);
    expect(await sessionIdsOf(connected, { cwd: "/elsewhere" })).toEqual([]);
    await expect(peer.request("session/list", { cursor: "mine" })).rejects.toMatchObject({ code: -32602 });
  });

  test("sends the title of the first prompt to all clients of the session, and when it is loaded or resumed", async () => {
    const store = memoryStore();
    const definition = echoing({ store });
    const [first, second] = [await connect(definition), await connect(definition)];
    const sessionId = await newSession(first);
    await load(second, sessionId);
    expect(second.titles).toEqual([]);
    await prompt(first, sessionId, "Repair the login page\nand the logout");
    await prompt(first, sessionId, "And the rest");
    expect([first.titles, second.titles]).toEqual([["Repair the login page"], ["Repair the login page"]]);
    for (const open of [load, resume]) {
      const later = await connect(definition);
      await open(later, sessionId);
      expect(later.titles).toEqual(["Repair the login page"]);
    }
    const untitled = await connect(echoing({ titleFromPrompt: false }));
    await prompt(untitled, await newSession(untitled), "one");
    expect(untitled.titles).toEqual([]);
  });

  test("keeps the title that the agent sent", async () => {
    const connected = await connect(
      echoing({ definition: { prompt: async (turn) => void (await turn.title("Typo")) } }),
    );
    const sessionId = await newSession(connected);
    await prompt(connected, sessionId, "Fix the typo");
    await prompt(connected, sessionId, "more");
    expect((await connected.peer.request("session/list", {})).sessions[0]?.title).toBe("Typo");
  });

  test("SESS-27 cancels the turn of a session that is closed; it can be loaded again", async () => {
    const { happened, happen } = signal();
    const definition = echoing({
      definition: {
        prompt: async (turn) => {
          await turn.message("working");
          happen();
          await new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason)));
        },
      },
    });
    const connected = await connect(definition);
    const sessionId = await newSession(connected);
    const turn = prompt(connected, sessionId, "go");
    await happened;
    await connected.peer.request("session/close", { sessionId });
    await expect(turn).resolves.toEqual({ stopReason: "cancelled" });
    await expect(prompt(connected, sessionId, "x")).rejects.toMatchObject({ code: -32002 });
    await load(connected, sessionId);
    expect(connected.heard()).toEqual(["working", "go", "working"]);
  });

  test("keeps a session open if the agent's handler can't close it", async () => {
    let isBusy = true;
    const closeSession = (): undefined => {
      if (isBusy) throw new RpcError(-32_000, "busy");
    };
    const connected = await connect(echoing({ definition: { closeSession } }));
    const sessionId = await newSession(connected);
    const close = () => connected.peer.request("session/close", { sessionId });
    await expect(close()).rejects.toMatchObject({ code: -32000 });
    expect(await prompt(connected, sessionId, "go on")).toEqual({ stopReason: "end_turn" });
    isBusy = false;
    await close();
    await expect(prompt(connected, sessionId, "x")).rejects.toMatchObject({ code: -32002 });
  });

  test("must have pages of at least one session", () => {
    for (const pageSize of [0, Number.NaN, 1.5]) {
      expect(() => echoing({ pageSize })).toThrow(TypeError);
    }
  });

  test("DEL-03 deletes a session, open or not", async () => {
    const connected = await connect(echoing());
    const sessionId = await newSession(connected);
    await connected.peer.request("session/delete", { sessionId });
    await connected.peer.request("session/delete", { sessionId });
    expect(await sessionIdsOf(connected)).toEqual([]);
    await expect(load(connected, sessionId)).rejects.toMatchObject({ code: -32002 });
  });

  test("history.owned: LIST-13 shows each owner their own sessions", async () => {
    const owners = ["ann", "bob"];
    const byConnection = new Map<unknown, string>();
    const definition = echoing({
      owner: (connection) => {
        const known = byConnection.get(connection) ?? owners.shift() ?? "";
        byConnection.set(connection, known);
        return known;
      },
    });
    const [ann, bob] = [await connect(definition), await connect(definition)];
    const sessionId = await newSession(ann);
    expect(await sessionIdsOf(bob)).toEqual([]);
    await expect(load(bob, sessionId)).rejects.toMatchObject({ code: -32002 });
    await bob.peer.request("session/delete", { sessionId });
    expect(await sessionIdsOf(ann)).toEqual([sessionId]);
  });

  /** Ann and Bob, each with a connection; `is` changes the user of a connection. */
  async function annAndBob(definition: Partial<AgentDefinition>) {
    const owners = new Map<unknown, string>();
    const agent = echoing({ definition, owner: (connection) => owners.get(connection) ?? "ann" });
    const [ann, bob] = [await connect(agent), await connect(agent)];
    const is = ({ connection }: Connected, owner: string): void => void owners.set(connection, owner);
    is(bob, "bob");
    return { ann, bob, is };
  }

  test("history.owned: runs no prompt of a connection that has since logged in as another user", async () => {
    const owners = new Map<unknown, string>();
    const connected = await connect(echoing({ owner: (connection) => owners.get(connection) ?? "ann" }));
    const sessionId = await newSession(connected);
    await prompt(connected, sessionId, "one");
    owners.set(connected.connection, "bob");
    await expect(prompt(connected, sessionId, "two")).rejects.toMatchObject({ code: -32002 });
    owners.delete(connected.connection);
    await prompt(connected, sessionId, "three");
    expect(connected.heard()).toEqual(["You said: one", "You said: three"]);
  });

  test("history.owned: deletes no data of another owner's session, also not in the definition", async () => {
    const deleted: string[] = [];
    const { ann, bob } = await annAndBob({ deleteSession: ({ sessionId }) => void deleted.push(sessionId) });
    const sessionId = await newSession(ann);
    for (const id of [sessionId, "nobody's"]) {
      await expect(bob.peer.request("session/delete", { sessionId: id })).resolves.toEqual({});
    }
    expect(deleted).toEqual([]);
    await expect(prompt(ann, sessionId, "still there?")).resolves.toEqual({ stopReason: "end_turn" });
    await ann.peer.request("session/delete", { sessionId });
    expect(deleted).toEqual([sessionId]);
  });

  test("history.owned: does not change a session that was opened as another user", async () => {
    const changed: string[] = [];
    const modes = { currentModeId: "a", availableModes: ["a", "b"].map((id) => ({ id, name: id })) };
    const select = { id: "o", name: "O", type: "select" as const, currentValue: "a" };
    const configOptions = [{ ...select, options: ["a", "b"].map((value) => ({ value, name: value })) }];
    const { ann, is } = await annAndBob({
      newSession: () => ({ sessionId: "s", modes, configOptions }),
      setSessionMode: ({ modeId }) => void changed.push(modeId),
      setSessionConfigOption: ({ value }) => void changed.push(String(value)),
    });
    const sessionId = await newSession(ann);
    const set = [
      () => ann.peer.request("session/set_mode", { sessionId, modeId: "b" }),
      () => ann.peer.request("session/set_config_option", { sessionId, configId: "o", value: "b" }),
    ];
    is(ann, "eve");
    for (const one of set) await expect(one()).rejects.toMatchObject({ code: -32002 });
    is(ann, "ann");
    for (const one of set) await one();
    expect(changed).toEqual(["b", "b"]);
  });

  test("history.owned: does not close a session that was opened as another user", async () => {
    const closed: string[] = [];
    const { ann, is } = await annAndBob({ closeSession: ({ sessionId }) => void closed.push(sessionId) });
    const sessionId = await newSession(ann);
    is(ann, "eve");
    await expect(ann.peer.request("session/close", { sessionId })).rejects.toMatchObject({ code: -32002 });
    expect(closed).toEqual([]);
    is(ann, "ann");
    await ann.peer.request("session/close", { sessionId });
    expect(closed).toEqual([sessionId]);
  });

  test("says that a session may have been deleted if it disappears while it is opened", async () => {
    const store = memoryStore();
    const racing: SessionStore = {
      ...store,
      owner(name) {
        const sessions = store.owner(name);
        return {
          ...sessions,
          find(sessionId) {
            const record = sessions.find(sessionId);
            void sessions.delete(sessionId); // another process
            return record;
          },
        };
      },
    };
    await store.owner("local").create({ sessionId: "s", cwd: "/work", additionalDirectories: [] });
    await expect(load(await connect(echoing({ store: racing })), "s")).rejects.toMatchObject({
      code: -32600,
      message: "Another process has taken the session over, or the session was deleted",
    });
  });

  test("keeps a session whose data the definition could not delete, so that the client can try again", async () => {
    let fails = true;
    const definition: Partial<AgentDefinition> = {
      deleteSession: () => {
        if (fails) throw new Error("not today");
      },
    };
    const connected = await connect(echoing({ definition }));
    const sessionId = await newSession(connected);
    await expect(connected.peer.request("session/delete", { sessionId })).rejects.toMatchObject({ code: -32603 });
    expect(await sessionIdsOf(connected)).toEqual([sessionId]);
    await load(connected, sessionId);
    fails = false;
    await connected.peer.request("session/delete", { sessionId });
    expect(await sessionIdsOf(connected)).toEqual([]);
  });

  /**
   * Two connections delete one session. The second deletion arrives while the definition handles the first one, which
   * then ends with `end`.
   */
  async function deletedTwice(end: () => void) {
    const { happened: started, happen: start } = signal();
    const { happened: released, happen: release } = signal();
    const calls: string[] = [];
    const agent = echoing({
      definition: {
        deleteSession: async ({ sessionId }) => {
          if (calls.push(sessionId) > 1) return;
          start();
          await released;
          end();
        },
      },
    });
    const [first, second] = [await connect(agent), await connect(agent)];
    const sessionId = await newSession(first);
    const deleted = first.peer.request("session/delete", { sessionId });
    await started;
    const deletedToo = second.peer.request("session/delete", { sessionId });
    await second.peer.request("session/list", {}); // the agent has received the second deletion
    release();
    return { first, sessionId, calls, outcomes: await Promise.allSettled([deleted, deletedToo]) };
  }

  test("calls the definition once when two connections delete a session at the same time", async () => {
    const { sessionId, calls, outcomes } = await deletedTwice(() => {});
    expect(outcomes).toEqual([
      { status: "fulfilled", value: {} },
      { status: "fulfilled", value: {} },
    ]);
    expect(calls).toEqual([sessionId]);
  });

  test("deletes a session for the second connection if the deletion of the first fails", async () => {
    const { first, sessionId, calls, outcomes } = await deletedTwice(() => {
      throw new Error("not today");
    });
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { code: -32603 } },
      { status: "fulfilled", value: {} },
    ]);
    expect(outcomes[1]).toEqual({ status: "fulfilled", value: {} });
    expect(await sessionIdsOf(first)).toEqual([]);
    expect(calls).toEqual([sessionId, sessionId]);
  });

  test("logs updates outside of turns, too", async () => {
    const definition = echoing();
    const connected = await connect(definition);
    const sessionId = await newSession(connected);
    await connected.connection.session(sessionId).message("by the way");
    const second = await connect(definition);
    await load(second, sessionId);
    expect(second.heard()).toEqual(["by the way"]);
  });
});

describe("a turn that continues when its client leaves", () => {
  /** An agent whose turn sends the texts that the test gives it. */
  function slow(): { definition: AgentDefinition; turns: Turn[]; started: Promise<void>; finish: () => void } {
    const turns: Turn[] = [];
    const { happened: started, happen: start } = signal();
    const { happened: finished, happen: finish } = signal();
    const definition = echoing({
      definition: {
        keepTurns: true,
        prompt: async (turn) => {
          if (turn.text !== "go") return void (await turn.message(turn.text));
          turns.push(turn);
          await turn.message("started");
          start();
          const aborted = new Promise((_, reject) =>
            turn.signal.addEventListener("abort", () => reject(turn.signal.reason)),
          );
          await Promise.race([finished, aborted]);
          await turn.message("finished");
        },
      },
    });
    return { definition, turns, started, finish };
  }

  test("history.joined-turns: sends only further updates to a client that joins it by resume", async () => {
    const { definition, turns, started, finish } = slow();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    prompt(first, sessionId, "go").catch(() => {});
    await started;
    await first.peer.connection.close();
    const second = await connect(definition);
    await resume(second, sessionId);
    await turns[0]?.message("still here");
    finish();
    await prompt(second, sessionId, "after"); // waits for the turn
    expect(second.heard()).toEqual(["still here", "finished", "after"]);
  });

  test("history.joined-turns: sends its updates so far, then further updates, to a client that joins it by load", async () => {
    const { definition, turns, started, finish } = slow();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    const answer = prompt(first, sessionId, "go");
    await started;
    const second = await connect(definition);
    await load(second, sessionId);
    await turns[0]?.message("to both");
    finish();
    await answer;
    expect(second.heard()).toEqual(["go", "started", "to both", "finished"]);
    expect(first.heard()).toEqual(["started", "to both", "finished"]);
    const third = await connect(definition);
    await load(third, sessionId);
    expect(third.heard()).toEqual(["go", "startedto bothfinished"]); // each once
  });

  test("is cancelled by a connection that joined it, and by no other", async () => {
    const { definition, started } = slow();
    const first = await connect(definition);
    const sessionId = await newSession(first);
    const answer = prompt(first, sessionId, "go");
    await started;
    const stranger = await connect(definition);
    await stranger.peer.notify("session/cancel", { sessionId });
    const second = await connect(definition);
    await resume(second, sessionId);
    await second.peer.notify("session/cancel", { sessionId });
    await expect(answer).resolves.toEqual({ stopReason: "cancelled" });
  });
});

describe("a turn whose handler ignores its cancel", () => {
  /** Runs such a turn, and cancels it. */
  async function cancelled() {
    const store = memoryStore();
    const { happened: started, happen: start } = signal();
    const { happened: finished, happen: finish } = signal();
    const definition = echoing({
      store,
      definition: {
        deleteSession: () => {},
        prompt: async (turn) => {
          await turn.message(`You said: ${turn.text}`);
          if (turn.text !== "stuck") return;
          turn.toolCall({ title: "Wait" });
          start();
          await finished;
          await turn.message("too late");
        },
      },
    });
    const connected = await connect(definition, { cancelGraceMs: 1 });
    const sessionId = await newSession(connected);
    const answer = prompt(connected, sessionId, "stuck");
    await started;
    await connected.peer.notify("session/cancel", { sessionId });
    await expect(answer).resolves.toEqual({ stopReason: "cancelled" });
    const logged = async () =>
      (await store.owner("local").read(sessionId)).map(({ entry }) =>
        entry.type === "update" ? entry.update.sessionUpdate : entry.type === "end" ? entry.stopReason : entry.type,
      );
    return { connected, sessionId, definition, logged, finish };
  }
  const stuckTurn = [
    "prompt",
    "session_info_update",
    "agent_message_chunk",
    "tool_call",
    "tool_call_update",
    "cancelled",
  ];

  test("turn.cancel-ignored: is logged as cancelled, and the session can be used afterwards", async () => {
    const { connected, sessionId, logged, finish } = await cancelled();
    await expect(prompt(connected, sessionId, "again")).resolves.toEqual({ stopReason: "end_turn" });
    finish();
    await expect(prompt(connected, sessionId, "and again")).resolves.toEqual({ stopReason: "end_turn" });
    const turn = ["prompt", "agent_message_chunk", "end_turn"];
    expect(await logged()).toEqual([...stuckTurn, ...turn, ...turn]);
  });

  test("turn.cancel-ignored: does not hold up the deletion of its session", async () => {
    const { connected, sessionId } = await cancelled();
    await connected.peer.request("session/delete", { sessionId });
    expect(await sessionIdsOf(connected)).toEqual([]);
  });

  test("turn.cancel-ignored: does not hold up the release of its session", async () => {
    const { connected, sessionId, definition } = await cancelled();
    await connected.peer.request("session/close", { sessionId });
    const other = await connect(definition);
    await load(other, sessionId);
    await expect(prompt(other, sessionId, "again")).resolves.toEqual({ stopReason: "end_turn" });
  });
});

describe("a prompt that is merged into a running turn", () => {
  /** Runs a turn that accepts further prompts until `finish` is called. */
  async function steered(store: SessionStore = memoryStore()) {
    const merged: string[] = [];
    const [started, finished] = [signal(), signal()];
    const definition = echoing({
      store,
      definition: {
        prompt: async (turn) => {
          await turn.message(`You said: ${turn.text}`);
          turn.onPrompt(({ prompt: [block] }) => void merged.push((block as { text: string }).text));
          started.happen();
          await finished.happened;
          if (merged.length > 0) await turn.message(`and: ${merged.join()}`);
        },
      },
    });
    const connected = await connect(definition, { concurrentPrompts: "merge" });
    const sessionId = await newSession(connected);
    const first = prompt(connected, sessionId, "one");
    await started.happened;
    return { definition, connected, sessionId, merged, first, finish: finished.happen };
  }

  test("history.whole-replay: is in the log, and load replays it", async () => {
    const { definition, connected, sessionId, merged, first, finish } = await steered();
    const second = prompt(connected, sessionId, "two");
    await sessionIdsOf(connected); // the agent has received the prompt
    expect(merged).toEqual(["two"]);
    finish();
    expect(await Promise.all([first, second])).toEqual([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
    const other = await connect(definition);
    await load(other, sessionId);
    expect(other.heard()).toEqual(["one", "You said: one", "two", "and: two"]);
  });

  test("hostile.session-requests: is refused if it is too deep for the store, and the turn continues", async () => {
    const { connected, sessionId, merged, first, finish } = await steered();
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 300; depth++) deep = { deep };
    const request = connected.peer.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "two", _meta: deep }],
    });
    await expect(request).rejects.toMatchObject({ code: -32602 });
    finish();
    await expect(first).resolves.toEqual({ stopReason: "end_turn" });
    expect(merged).toEqual([]);
  });

  test("fails together with its turn if it can't be logged", async () => {
    const store = memoryStore();
    const failing: SessionStore = {
      ...store,
      owner(name) {
        const sessions = store.owner(name);
        return {
          ...sessions,
          async open(sessionId) {
            const log = await sessions.open(sessionId);
            return {
              ...log,
              async append(entry) {
                if (entry.type === "prompt" && entry.merged) throw new StoreError("full", "/s", "The disk is full");
                return log.append(entry);
              },
            };
          },
        };
      },
    };
    const { connected, sessionId, first, finish } = await steered(failing);
    const second = prompt(connected, sessionId, "two");
    const results = Promise.allSettled([first, second]);
    await sessionIdsOf(connected);
    finish();
    const failed = { status: "rejected", reason: { code: -32603, data: { code: "full" } } };
    expect(await results).toMatchObject([failed, failed]);
    await expect(prompt(connected, sessionId, "three")).resolves.toEqual({ stopReason: "end_turn" });
  });

  test("waits for the next turn if the handler has already ended", async () => {
    const store = memoryStore();
    const [ending, written] = [signal(), signal()];
    const slow: SessionStore = {
      ...store,
      owner(name) {
        const sessions = store.owner(name);
        return {
          ...sessions,
          async open(sessionId) {
            const log = await sessions.open(sessionId);
            return {
              ...log,
              async append(entry) {
                if (entry.type === "end") {
                  ending.happen();
                  await written.happened;
                }
                return log.append(entry);
              },
            };
          },
        };
      },
    };
    const { definition, connected, sessionId, merged, first, finish } = await steered(slow);
    finish();
    await ending.happened;
    const second = prompt(connected, sessionId, "two");
    await sessionIdsOf(connected);
    written.happen();
    await Promise.all([first, second]);
    expect(merged).toEqual([]);
    const other = await connect(definition);
    await load(other, sessionId);
    expect(other.heard()).toEqual(["one", "You said: one", "two", "You said: two"]);
  });
});
