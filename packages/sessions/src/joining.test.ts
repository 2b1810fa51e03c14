import type { AgentDefinition, Turn } from "@acp-kit/agent";
import { describe, expect, test } from "vitest";
import { connect, load, newSession, prompt, resume, signal } from "../test/connect.js";
import type { StoredEntry } from "./log-entry.js";
import { memoryStore } from "./memory-store.js";
import type { OwnedSessions, SessionStore } from "./session-store.js";
import { withSessions } from "./with-sessions.js";

/** A store whose behaviour for one owner's sessions a test controls. */
function wrapped(change: (sessions: OwnedSessions) => Partial<OwnedSessions>): SessionStore {
  const store = memoryStore();
  return {
    ...store,
    owner(name) {
      const sessions = store.owner(name);
      return { ...sessions, ...change(sessions) };
    },
  };
}

/** An agent whose turn runs until the test ends it, and sends the texts that the test gives it. */
async function running(store: SessionStore, restore?: (turn: Turn) => Promise<void>) {
  const turns: Turn[] = [];
  const { happened: started, happen: start } = signal();
  const { happened: finished, happen: finish } = signal();
  const turn = (): Turn => turns[0] as Turn;
  const definition: AgentDefinition = withSessions(
    {
      info: { name: "test", version: "1" },
      keepTurns: true,
      newSession: () => ({ sessionId: "s" }),
      prompt: async (one) => {
        turns.push(one);
        await one.message("started");
        start();
        await finished;
      },
    },
    store,
    { ...(restore && { restore: async () => void (await restore(turn())) }) },
  );
  const first = await connect(definition);
  await newSession(first);
  const answer = prompt(first, "s", "go");
  await started;
  const end = async (): Promise<void> => {
    finish();
    await answer;
  };
  return { definition, first, turn, end };
}

const history = ["go", "started"];

describe("a connection that joins a running turn", () => {
  test("history.joined-turns: gets updates that are logged between reading a page and joining", async () => {
    let turn: (() => Turn) | undefined;
    let said = 0;
    const store = wrapped((sessions) => ({
      async read(sessionId, after): Promise<readonly StoredEntry[]> {
        const page = await sessions.read(sessionId, after);
        // After the first page and after an empty one, which looks like the last.
        if (turn !== undefined && (said === 0 || page.length === 0)) void turn().message(`late ${said++} `);
        return page;
      },
    }));
    const agent = await running(store);
    ({ turn } = agent);
    const second = await connect(agent.definition);
    await load(second, "s");
    turn = undefined;
    await agent.end();
    expect(second.heard().join("")).toBe(agent.first.heard().join("").replace("started", "gostarted"));
    expect(said).toBeGreaterThan(0);
  });

  test("gets each update once that was in the log before its write was acknowledged", async () => {
    const { happened, happen } = signal();
    let slow = false;
    const store = wrapped((sessions) => ({
      async open(sessionId, options) {
        const log = await sessions.open(sessionId, options);
        return {
          ...log,
          append(entry) {
            const seq = log.append(entry);
            return slow ? happened.then(() => seq) : seq;
          },
        };
      },
    }));
    const agent = await running(store);
    slow = true;
    const sent = agent.turn().message("slow");
    const second = await connect(agent.definition);
    await load(second, "s");
    expect(second.heard()).toEqual([...history.slice(0, 1), "startedslow"]);
    happen();
    await sent;
    slow = false;
    await agent.turn().message("after");
    await agent.end();
    expect(second.heard()).toEqual(["go", "startedslow", "after"]);
    expect(agent.first.heard()).toEqual(["started", "slow", "after"]);
  });

  test.each([
    ["load", load, [...history, "while restoring", "after"]],
    ["resume", resume, ["while restoring", "after"]],
  ] as const)("by %s gets updates that the agent sends while it restores", async (_, open, expected) => {
    const agent = await running(memoryStore(), async (turn) => void (await turn.message("while restoring")));
    const second = await connect(agent.definition);
    await open(second, "s");
    await agent.turn().message("after");
    await agent.end();
    expect(second.heard()).toEqual(expected);
  });

  test("gets further updates also after its second attempt to join has failed", async () => {
    let attempts = 0;
    const agent = await running(memoryStore(), async (turn) => {
      await turn.message(`attempt ${attempts} `);
      if (attempts++ > 0) throw new Error("not today");
    });
    const second = await connect(agent.definition);
    await load(second, "s");
    await expect(load(second, "s")).rejects.toMatchObject({ code: -32603 });
    await agent.turn().message("after");
    await agent.end();
    expect(second.heard()).toEqual([...history, "attempt 0 ", "attempt 1 ", "after"]);
  });

  test("does not keep the session's lease if joining fails: the lease is released when the other connections have left", async () => {
    let isReleased = false;
    const store = wrapped((sessions) => ({
      async open(sessionId, options) {
        const log = await sessions.open(sessionId, options);
        return {
          ...log,
          release() {
            isReleased = true;
          },
        };
      },
    }));
    const definition = withSessions(
      { info: { name: "test", version: "1" }, newSession: () => ({ sessionId: "s" }), prompt: async () => {} },
      store,
      {
        restore: () => {
          throw new Error("not today");
        },
      },
    );
    const first = await connect(definition);
    await newSession(first);
    await first.peer.request("session/close", { sessionId: "s" });
    isReleased = false;
    await expect(load(first, "s")).rejects.toMatchObject({ code: -32603 });
    expect(isReleased).toBe(true);
  });
});
