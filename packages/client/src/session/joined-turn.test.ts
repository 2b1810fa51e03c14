import { isConnectionError, isRpcError } from "@acp-kit/protocol";
import type { PromptResponse, SessionUpdate } from "@acp-kit/types";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type AgentPeer, chunk, type Script, scripted } from "../../test/scripted-agent.js";
import type { PromptTurn, Session } from "./session.js";

type Meta = Record<string, unknown>;

const sessionId = "s1";
const setup = { cwd: "/", sessionId };

const running: Meta = { "acp-kit/turn": "running" };
const idle = (outcome: object = { result: { stopReason: "end_turn" } }) => ({
  "acp-kit/turn": "idle",
  "acp-kit/outcome": outcome,
});
const user = (text: string): SessionUpdate => ({
  sessionUpdate: "user_message_chunk",
  messageId: "u1",
  content: { type: "text", text },
});
const call: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "c1", title: "Edit", status: "pending" };

/** A gateway to which a client connects, as far as the client can see it: what it replays, and whether a turn runs. */
interface Gateway extends Script {
  readonly history?: readonly SessionUpdate[];
  readonly state?: Meta;
  readonly onPrompt?: (text: string) => PromptResponse | Promise<PromptResponse>;
}

async function gateway({ history = [], state = idle(), onPrompt, agent, ...script }: Gateway = {}) {
  const scriptedAgent = await scripted({
    answer: { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } } },
    ...script,
    agent(peer, life) {
      peer.handle("session/load", async () => {
        for (const update of history) await say(peer, update);
        return { _meta: state };
      });
      peer.handle("session/resume", () => ({ _meta: state }));
      peer.handle("session/close", () => ({}));
      peer.handle("session/prompt", ({ prompt }) => {
        const [first] = prompt;
        return onPrompt?.(first?.type === "text" ? first.text : "") ?? { stopReason: "end_turn" };
      });
      agent?.(peer, life);
    },
  });
  return {
    ...scriptedAgent,
    say: (update: SessionUpdate) => say(scriptedAgent.peer(), update),
    report: (_meta: Meta) => say(scriptedAgent.peer(), { sessionUpdate: "session_info_update", _meta }),
    cancels: () => scriptedAgent.methods().filter((method) => method === "session/cancel").length,
    prompts: () => scriptedAgent.methods().filter((method) => method === "session/prompt").length,
  };
}

function say(peer: AgentPeer, update: SessionUpdate): Promise<void> | undefined {
  return peer.notify("session/update", { sessionId, update });
}

function messages({ transcript }: Session): string[] {
  return transcript.snapshot.entries.flatMap((entry) => ("text" in entry ? [entry.text] : [entry.type]));
}

function turnOf(session: Session): PromptTurn {
  const { turn } = session;
  if (turn === undefined) throw new Error("no turn runs");
  return turn;
}

describe("a client that opens a session while a turn runs", () => {
  test("turn.joined: by session/load: sees the turn, its message in one piece, and its end", async () => {
    const { connection, say, report } = await gateway({ history: [user("go"), call, chunk("Hel")], state: running });
    const session = await connection.loadSession(setup);
    const turn = turnOf(session);
    expect(session).toMatchObject({ activity: "running", queue: [turn] });
    expect(turn).toMatchObject({ isJoined: true, state: "running", prompt: [], session });
    expect(session.transcript.snapshot).toMatchObject({
      activity: "running",
      turns: [{ state: "running", joined: true, firstEntry: 0 }],
      entries: [{}, { type: "tool_call", turn: 0 }, { text: "Hel" }],
    });
    expect(session.transcript.snapshot.entries[1]).not.toHaveProperty("unfinished");
    await say(chunk("lo"));
    await report(idle({ result: { stopReason: "max_tokens", usage: { totalTokens: 3 } } }));
    expect(await turn.text()).toBe("lo");
    expect(await turn.result).toEqual({ stopReason: "max_tokens", usage: { totalTokens: 3 } });
    expect(messages(session)).toEqual(["go", "tool_call", "Hello"]);
    expect(session).toMatchObject({ activity: "idle", turn: undefined, queue: [] });
    expect(session.transcript.snapshot).toMatchObject({
      activity: "idle",
      turns: [{ state: "ended", stopReason: "max_tokens", joined: true }],
      entries: [{}, { unfinished: true }, { turn: 0, replayed: true }],
    });
  });

  test("by session/resume: sees the turn from now on", async () => {
    const { connection, say, report } = await gateway({ state: running });
    const session = await connection.resumeSession(setup);
    const turn = turnOf(session);
    const texts: string[] = [];
    await say(chunk("a"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["a"]));
    session.onUpdate((update, context) => {
      if (context.turn === turn && update.sessionUpdate === "agent_message_chunk") texts.push("received");
    });
    await say(chunk("b"));
    await report(idle());
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    expect(texts).toEqual(["received", "received"]); // the first was buffered, because there was no listener
    expect(messages(session)).toEqual(["ab"]);
    expect(session.transcript.snapshot.turns).toMatchObject([{ state: "ended", joined: true, firstEntry: 0 }]);
  });

  test("sees an open permission request beside a call that runs", async () => {
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { connection, peer, report } = await gateway({
      history: [user("go"), call],
      state: running,
      permissions: [
        async () => {
          await asked;
          return "allow_once";
        },
      ],
    });
    const session = await connection.loadSession(setup);
    const response = peer().request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId: "c1" },
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    });
    await vi.waitFor(() =>
      expect(session.transcript.snapshot.entries[1]).toMatchObject({ permission: { state: "open" }, turn: 0 }),
    );
    expect(session.transcript.snapshot.entries[1]).not.toHaveProperty("unfinished");
    answer();
    expect(await response).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
    await report(idle());
    await vi.waitFor(() => expect(session.activity).toBe("idle"));
  });

  test("a turn that ended while no client was attached is history", async () => {
    const { connection } = await gateway({ history: [user("go"), chunk("done")] });
    const session = await connection.loadSession(setup);
    expect(session).toMatchObject({ activity: "idle", turn: undefined });
    expect(session.transcript.snapshot).toMatchObject({ activity: "idle", turns: [{ state: "replayed" }] });
  });

  test("a report in the history begins and ends nothing", async () => {
    const past = [running, idle(), running].map(
      (_meta): SessionUpdate => ({ sessionUpdate: "session_info_update", _meta }),
    );
    const { connection } = await gateway({ history: [user("go"), ...past] });
    expect(await connection.loadSession(setup)).toMatchObject({ activity: "idle", turn: undefined });
  });

  test("an agent that reports no turns is not affected", async () => {
    const { connection, say } = await gateway({ history: [user("go"), chunk("done")], state: {} });
    const session = await connection.loadSession(setup);
    await say({ sessionUpdate: "session_info_update", title: "A title", _meta: { "acp-kit/turn": "paused" } });
    await say(chunk("more"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["go", "done", "more"]));
    expect(session).toMatchObject({ activity: "idle", turn: undefined });
  });

  test("loading an open session again keeps the turn, and ends it if the history contains its end", async () => {
    const script = { history: [user("go"), chunk("x")], state: running as Meta };
    const { connection } = await gateway({
      agent(peer) {
        peer.handle("session/load", async () => {
          for (const update of script.history) await say(peer, update);
          return { _meta: script.state };
        });
      },
    });
    const session = await connection.loadSession(setup);
    const turn = turnOf(session);
    await connection.loadSession(setup);
    expect(session.turn).toBe(turn);
    expect(session.transcript.snapshot.turns).toMatchObject([{ state: "running", joined: true }]);
    script.state = idle({ result: { stopReason: "refusal" } });
    await connection.loadSession(setup);
    expect(await turn.result).toEqual({ stopReason: "refusal" });
    expect(session.transcript.snapshot).toMatchObject({ activity: "idle", turns: [{ state: "replayed" }] });
  });
});

describe("a turn that another client starts", () => {
  test("turn.joined: is the turn of the session while it runs", async () => {
    const { connection, say, report } = await gateway();
    const session = await connection.resumeSession(setup);
    await report(running);
    await say(user("theirs"));
    await say(chunk("text"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["theirs", "text"]));
    const turn = turnOf(session);
    expect(session.activity).toBe("running");
    expect(session.transcript.snapshot.entries).toMatchObject([{ turn: 0 }, { turn: 0 }]);
    const data = { reason: "agent_failed" };
    await report(idle({ error: { code: -32603, message: "The agent ended", data } }));
    const error = await turn.result.catch((error: unknown) => error);
    expect(isRpcError(error)).toBe(true);
    expect(error).toMatchObject({ code: -32603, message: "The agent ended", data });
    expect(session.activity).toBe("idle");
    expect(session.transcript.snapshot.turns).toMatchObject([{ error: { message: "The agent ended", code: -32603 } }]);
  });

  test("our prompt waits until it has ended", async () => {
    const { connection, say, report, prompts } = await gateway({ onPrompt: () => ({ stopReason: "refusal" }) });
    const session = await connection.resumeSession(setup);
    await report(running);
    await vi.waitFor(() => expect(session.activity).toBe("running"));
    const theirs = turnOf(session);
    const ours = session.prompt("ours");
    expect(session.queue).toEqual([theirs, ours]);
    expect(ours.state).toBe("queued");
    await say(chunk("theirs"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["theirs"]));
    expect(prompts()).toBe(0);
    await report(idle());
    expect(await theirs.text()).toBe("theirs");
    expect(await ours.result).toEqual({ stopReason: "refusal" });
    expect(await ours.text()).toBe("");
    expect(messages(session)).toEqual(["theirs", "ours"]);
    expect(session.transcript.snapshot.turns).toMatchObject([{ joined: true }, { stopReason: "refusal" }]);
  });

  test("with concurrentPrompts: reject, a prompt during it is rejected", async () => {
    const { connection, report } = await gateway({ concurrentPrompts: "reject" });
    const session = await connection.resumeSession(setup);
    await report(running);
    await vi.waitFor(() => expect(session.activity).toBe("running"));
    await expect(session.prompt("ours").result).rejects.toThrow(/A turn of session s1 is running/);
  });

  test("our prompt that was already sent is queued, and each update belongs to the turn that runs", async () => {
    let finish: (response: PromptResponse) => void = () => {};
    const response = new Promise<PromptResponse>((resolve) => {
      finish = resolve;
    });
    const { connection, say, report, prompts } = await gateway({ onPrompt: () => response });
    const session = await connection.resumeSession(setup);
    const ours = session.prompt("ours");
    await vi.waitFor(() => expect(prompts()).toBe(1));
    await report(running);
    await say(user("theirs"));
    await say(chunk("a"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["ours", "theirs", "a"]));
    const theirs = turnOf(session);
    expect(session.queue).toEqual([theirs, ours]);
    expect([theirs.state, ours.state]).toEqual(["running", "queued"]);
    await report(idle());
    await theirs.result;
    expect([session.turn, ours.state, session.activity]).toEqual([ours, "running", "running"]);
    expect(session.transcript.snapshot.activity).toBe("running");
    await say(chunk("b"));
    finish({ stopReason: "end_turn" });
    expect(await ours.text()).toBe("b");
    expect(await theirs.text()).toBe("a");
    expect(session.transcript.snapshot).toMatchObject({
      activity: "idle",
      turns: [
        { state: "ended", stopReason: "end_turn" },
        { state: "ended", joined: true },
      ],
      entries: [{ turn: 0 }, { turn: 1 }, { turn: 1 }, { text: "b", turn: 0 }],
    });
  });
});

describe("cancelling", () => {
  test("turn.joined: session.cancel sends session/cancel, cancels the open permission request, and the prompts behind", async () => {
    const { connection, report, peer, cancels, prompts } = await gateway({
      state: running,
      permissions: [() => new Promise(() => {})],
    });
    const session = await connection.resumeSession(setup);
    const turn = turnOf(session);
    const ours = session.prompt("ours");
    const permission = peer().request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId: "c1" },
      options: [],
    });
    await vi.waitFor(() => expect(session.transcript.snapshot.entries).toHaveLength(1));
    session.cancel();
    session.cancel();
    expect(await permission).toEqual({ outcome: { outcome: "cancelled" } });
    expect(await ours.result).toEqual({ stopReason: "cancelled" });
    expect(turn.state).toBe("running");
    await report(idle({ result: { stopReason: "cancelled" } }));
    expect(await turn.result).toEqual({ stopReason: "cancelled" });
    expect([cancels(), prompts()]).toEqual([1, 0]);
  });

  test("turn.cancel leaves our prompt behind it", async () => {
    const { connection, report, cancels } = await gateway({ state: running });
    const session = await connection.resumeSession(setup);
    const ours = session.prompt("ours");
    turnOf(session).cancel();
    await vi.waitFor(() => expect(cancels()).toBe(1));
    await report(idle({ result: { stopReason: "cancelled" } }));
    expect(await ours.result).toEqual({ stopReason: "end_turn" });
  });

  test("a cancel that crosses the end of the turn changes neither this turn's end nor the next turn", async () => {
    const { connection, report, cancels } = await gateway({ state: running });
    const session = await connection.resumeSession(setup);
    const turn = turnOf(session);
    void report(idle());
    session.cancel();
    expect(await turn.result).toEqual({ stopReason: "end_turn" });
    turn.cancel();
    session.cancel();
    expect(await session.prompt("next").result).toEqual({ stopReason: "end_turn" });
    expect(cancels()).toBe(1);
  });

  test("a queued prompt that the server already has is withdrawn by a cancel of its own", async () => {
    const answers: ((response: PromptResponse) => void)[] = [];
    const { connection, report, cancels, prompts } = await gateway({
      onPrompt: () => new Promise((resolve) => answers.push(resolve)),
    });
    const session = await connection.resumeSession(setup);
    const ours = session.prompt("ours");
    await vi.waitFor(() => expect(prompts()).toBe(1));
    await report(running);
    await vi.waitFor(() => expect(ours.state).toBe("queued"));
    const theirs = turnOf(session);
    expect(ours.remove()).toBe(true);
    await vi.waitFor(() => expect(cancels()).toBe(1));
    answers[0]?.({ stopReason: "cancelled" });
    expect(await ours.result).toEqual({ stopReason: "cancelled" });
    expect(session).toMatchObject({ turn: theirs, activity: "running" });
    expect(session.transcript.snapshot).toMatchObject({
      activity: "running",
      turns: [{ stopReason: "cancelled" }, { state: "running" }],
    });
    await report(idle());
    expect(await theirs.result).toEqual({ stopReason: "end_turn" });
  });

  test("a server that does not end a cancelled turn: the result rejects after the time limit", async () => {
    vi.useFakeTimers();
    try {
      const { connection } = await gateway({ state: running });
      const session = await connection.resumeSession(setup);
      const turn = turnOf(session);
      turn.cancel();
      const failed = expect(turn.result).rejects.toMatchObject({ code: "timeout" });
      await vi.advanceTimersByTimeAsync(60_000);
      await failed;
      expect(session).toMatchObject({ activity: "idle", turn: undefined });
    } finally {
      vi.useRealTimers();
    }
  });

  test("closing the session leaves the turn of the other client running", async () => {
    const { connection, cancels, methods } = await gateway({ state: running });
    const session = await connection.resumeSession(setup);
    const turn = turnOf(session);
    await session.close();
    await expect(turn.result).rejects.toMatchObject({ code: "closed" });
    expect(methods()).toContain("session/close");
    expect(cancels()).toBe(0);
    expect(session.activity).toBe("idle");
  });
});

describe("a connection that is lost", () => {
  test("ends the turn with the error, and the reopened session joins it again before our prompt is sent", async () => {
    const { connection, die, say, report, prompts } = await gateway({ restarts: true, state: running });
    const session = await connection.resumeSession(setup);
    const first = turnOf(session);
    die();
    const error = await first.result.catch((error: unknown) => error);
    expect(isConnectionError(error)).toBe(true);
    expect(session).toMatchObject({ activity: "idle", turn: undefined });
    const ours = session.prompt("ours");
    await vi.waitFor(() => expect(session.turn).toBeDefined());
    const second = turnOf(session);
    expect(second).not.toBe(first);
    expect(session.queue).toEqual([second, ours]);
    expect(ours.state).toBe("queued");
    await say(chunk("rest"));
    await vi.waitFor(() => expect(messages(session)).toEqual(["rest"]));
    expect(prompts()).toBe(0);
    await report(idle());
    expect(await ours.result).toEqual({ stopReason: "end_turn" });
    expect(await second.text()).toBe("rest");
    expect(prompts()).toBe(1);
  });

  test("a prompt that waits behind the joined turn can be cancelled", async () => {
    const { connection, die, report, prompts, cancels } = await gateway({ restarts: true, state: running });
    const session = await connection.resumeSession(setup);
    die();
    await turnOf(session).result.catch(() => {});
    const ours = session.prompt("ours");
    await vi.waitFor(() => expect(session.turn).toBeDefined());
    expect(ours.remove()).toBe(true);
    expect(await ours.result).toEqual({ stopReason: "cancelled" });
    await report(idle());
    await vi.waitFor(() => expect(session.queue).toEqual([]));
    expect([prompts(), cancels()]).toEqual([0, 0]);
  });
});

/**
 * A step of the property test. `begin`: the server begins the next prompt in its queue, `theirs`: another client sends
 * a prompt.
 */
type Step = "ours" | "theirs" | "begin" | "say" | "end" | "cancel" | "deliver";

test("turn.joined: in any order, each update belongs to its turn, and each turn settles once with its own stop reason", async () => {
  const step = fc.constantFrom<Step>("ours", "theirs", "begin", "say", "end", "cancel", "deliver");
  const run = async (steps: readonly Step[]): Promise<void> => {
    /** The prompts at the server: the first is the turn that runs, if `isRunning`. */
    const queue: { readonly name: string; readonly respond?: (response: PromptResponse) => void }[] = [];
    let isRunning = false;
    const { connection, say, report } = await gateway({
      onPrompt: (name) => new Promise((respond) => queue.push({ name, respond })),
      agent: (peer) =>
        peer.handleNotification("session/cancel", () => {
          const mine = queue.filter(({ respond }, index) => respond !== undefined && !(isRunning && index === 0));
          for (const one of mine) {
            queue.splice(queue.indexOf(one), 1);
            one.respond?.({ stopReason: "cancelled" });
          }
          if (isRunning && (mine.length === 0 || queue[0]?.respond !== undefined)) end("cancelled");
        }),
    });
    const begin = (): void => {
      const [first] = queue;
      if (first === undefined || isRunning) return;
      isRunning = true;
      if (first.respond === undefined) void report(running);
      void say(chunk(`<${first.name}>`));
    };
    const end = (stopReason: PromptResponse["stopReason"]): void => {
      if (!isRunning) return;
      isRunning = false;
      const { name, respond } = queue.shift() as (typeof queue)[number];
      ends.set(name, stopReason);
      if (respond === undefined) void report(idle({ result: { stopReason } }));
      else respond({ stopReason });
    };
    const ends = new Map<string, string>();
    const session = await connection.resumeSession(setup);
    const turns = new Map<string, PromptTurn>();
    const owners = new Map<string, PromptTurn | undefined>();
    session.onUpdate((update, { turn }) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      const [, name = ""] = /^<(.*)>/.exec(update.content.text) ?? [];
      if (owners.has(name)) expect(turn).toBe(owners.get(name));
      owners.set(name, turn);
    });
    let count = 0;
    const take: Record<Step, () => unknown> = {
      ours: () => {
        const name = `ours ${count++}`;
        turns.set(name, session.prompt(name));
      },
      theirs: () => queue.push({ name: `theirs ${count++}` }),
      begin,
      say: () => isRunning && say(chunk(`<${queue[0]?.name}>`)),
      end: () => end(count % 2 === 0 ? "end_turn" : "refusal"),
      cancel: () => session.cancel(),
      deliver: () => new Promise((resolve) => setImmediate(resolve)),
    };
    for (const one of steps) await take[one]();
    const settled = Promise.allSettled(Array.from(turns.values(), ({ result }) => result));
    let isOver = false;
    void settled.then(() => {
      isOver = true;
    });
    for (let tries = 0; !isOver || queue.length > 0 || session.activity === "running"; tries++) {
      if (tries > 500) throw new Error(`the turns did not end: ${JSON.stringify(queue)}`);
      begin();
      end("end_turn");
      await take.deliver();
    }
    for (const [name, turn] of owners) {
      expect(turn, name).toBeDefined();
      expect(turn?.isJoined, name).toBe(name.startsWith("theirs"));
      if (turn?.isJoined === false) expect(turn, name).toBe(turns.get(name));
      expect(await turn?.result, name).toEqual({ stopReason: ends.get(name) });
    }
    expect(new Set(owners.values()).size).toBe(owners.size);
    expect(session).toMatchObject({ activity: "idle", turn: undefined, queue: [] });
    const { snapshot } = session.transcript;
    expect(snapshot.activity).toBe("idle");
    expect(snapshot.turns.filter(({ state }) => state !== "ended")).toEqual([]);
    for (const entry of snapshot.entries) {
      if (entry.type !== "agent_message") continue;
      const names = new Set(entry.text.match(/<[^>]*>/g));
      expect(names.size, entry.text).toBe(1);
    }
    await connection.close();
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 24 }), run), { numRuns: 150 });
});
