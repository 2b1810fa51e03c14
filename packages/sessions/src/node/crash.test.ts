import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SessionUpdate } from "@acp-kit/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../test/bundle.js";
import { connect, load, prompt } from "../../test/connect.js";
import { readLines } from "../../test/read-lines.js";
import { withSessions } from "../with-sessions.js";
import { sqliteStore } from "./sqlite-store.js";

interface Message {
  readonly id?: number;
  readonly result?: { readonly sessionId?: string };
  readonly error?: unknown;
  readonly params?: { readonly update: SessionUpdate };
}

/** An agent's process, controlled with raw JSON: no code of this package reads its messages. */
class RawAgent {
  readonly child: ChildProcess;
  readonly updates: SessionUpdate[] = [];
  readonly #answers = new Map<number, (message: Message) => void>();
  #next = 0;
  #killAt = Number.POSITIVE_INFINITY;

  /** @param around - the command that starts it, for example in a PID namespace of its own. */
  constructor(program: string, store: string, around: readonly string[] = []) {
    const [command = "", ...args] = [...around, process.execPath, program, store];
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const { stdout } = this.child;
    if (stdout === null) throw new TypeError("the agent has no stdout");
    readLines(stdout, (line) => {
      const message = JSON.parse(line) as Message;
      if (message.params !== undefined) this.updates.push(message.params.update);
      else if (message.id !== undefined) this.#answers.get(message.id)?.(message);
      if (this.updates.length >= this.#killAt) this.child.kill("SIGKILL");
    });
  }

  request(method: string, params: object): Promise<Message> {
    const id = this.#next++;
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async start(): Promise<string> {
    await this.request("initialize", { protocolVersion: 1 });
    const { result } = await this.request("session/new", { cwd: "/work", mcpServers: [] });
    return result?.sessionId ?? "";
  }

  prompt(sessionId: string, text: string): Promise<Message> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /**
   * Prompts, and kills the process with SIGKILL after this many updates. Resolves when all its output has been read.
   */
  async crash(sessionId: string, updates: number): Promise<void> {
    this.#killAt = updates;
    const ended = once(this.child, "close");
    void this.prompt(sessionId, "go");
    await ended;
  }
}

/** Pseudo-random numbers from a seed, so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const textOf = (update: SessionUpdate) => (update as { content?: { text?: string } }).content?.text ?? "";
const spoken = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((update) => (update.sessionUpdate === "agent_message_chunk" ? textOf(update) : [])).join("");

describe("an agent that is killed in the middle of a turn", () => {
  let folder = "";
  let path = "";
  beforeAll(async () => {
    ({ folder, path } = await bundle("crashing-agent.ts"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Where it is killed; the same places every time. */
  const seed = 20_261_121;

  test("history.survives-crashes: loses no update that it had sent, and leaves a log that loads: 100 times", {
    timeout: 300_000,
  }, async () => {
    const next = random(seed);
    const crashes = Array.from({ length: 100 }, () => 1 + Math.floor(next() ** 3 * 2_000));
    const store = join(folder, "crashes.sqlite");
    const sent = new Map<string, RawAgent>();
    const lane = async (): Promise<void> => {
      for (let updates = crashes.pop(); updates !== undefined; updates = crashes.pop()) {
        const agent = new RawAgent(path, store);
        const sessionId = await agent.start();
        await agent.crash(sessionId, updates);
        expect(agent.updates.length).toBeGreaterThanOrEqual(updates);
        sent.set(sessionId, agent);
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    expect(sent.size).toBe(100);

    const reopened = sqliteStore({ path: store });
    const connected = await connect(
      withSessions(
        {
          info: { name: "after", version: "1.0.0" },
          newSession: () => ({ sessionId: "x" }),
          prompt: async (turn) => void (await turn.message("back again")),
        },
        reopened,
      ),
    );
    for (const [sessionId, { updates }] of sent) {
      const before = connected.updates.length;
      await load(connected, sessionId); // its previous process has ended, so the lease is free immediately
      const replayed = connected.updates.slice(before);
      expect(spoken(replayed).startsWith(spoken(updates))).toBe(true);
      const calls = replayed.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
      const known = new Map(calls.map((call) => [(call as { toolCallId: string }).toolCallId, call]));
      for (const update of updates) {
        if (update.sessionUpdate === "tool_call")
          expect(known.get(update.toolCallId)).toMatchObject({ status: "failed" });
      }
      await expect(prompt(connected, sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
    }
    await reopened.close();
  });

  test("history.one-writer: the session of a killed process is passed to one process at a time", async () => {
    const store = join(folder, "two.sqlite");
    const first = new RawAgent(path, store);
    const sessionId = await first.start();
    const second = new RawAgent(path, store);
    await second.start();
    const load = { sessionId, cwd: "/work", mcpServers: [] };
    expect((await second.request("session/load", load)).error).toMatchObject({
      code: -32600,
      message: "Another process has the session open",
    });
    await first.crash(sessionId, 20);
    expect((await second.request("session/load", load)).result).toEqual({});
    expect(spoken(second.updates).startsWith(spoken(first.updates))).toBe(true);
    expect((await second.prompt(sessionId, "hello")).result).toEqual({ stopReason: "end_turn" });
    second.child.stdin?.end();
    await once(second.child, "close");
  });

  test("history.one-writer: no other process deletes a session that a process writes", async () => {
    const store = join(folder, "delete.sqlite");
    const first = new RawAgent(path, store);
    const sessionId = await first.start();
    const sessions = sqliteStore({ path: store });
    expect(() => sessions.owner("local").delete(sessionId)).toThrow(
      expect.objectContaining({ name: "SessionHeldError", sessionId, holder: `process ${first.child.pid}` }),
    );
    const second = new RawAgent(path, store);
    await second.start();
    expect((await second.request("session/delete", { sessionId })).error).toMatchObject({
      code: -32600,
      message: "Another process has the session open",
    });
    expect((await first.prompt(sessionId, "hello")).result).toEqual({ stopReason: "end_turn" });
    await first.crash(sessionId, 20);
    expect((await second.request("session/delete", { sessionId })).result).toEqual({});
    expect(await sessions.owner("local").find(sessionId)).toBeUndefined();
    await sessions.close();
    second.child.stdin?.end();
    await once(second.child, "close");
  });

  const inOwnNamespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const canUnshare = spawnSync("unshare", [...inOwnNamespace.slice(1), "true"]).status === 0;

  test.skipIf(!canUnshare)("history.one-writer: across PID namespaces, where pids identify nothing", async () => {
    const store = join(folder, "namespaces.sqlite");
    const first = new RawAgent(path, store, inOwnNamespace);
    const sessionId = await first.start();
    const second = new RawAgent(path, store, inOwnNamespace); // both have the number 1
    await second.start();
    const load = { sessionId, cwd: "/work", mcpServers: [] };
    expect((await second.request("session/load", load)).error).toMatchObject({ code: -32600 });
    await first.crash(sessionId, 20);
    // The child of `unshare` ends a moment after it.
    for (
      let answer = await second.request("session/load", load);
      ;
      answer = await second.request("session/load", load)
    ) {
      if (answer.error === undefined) break;
    }
    expect(spoken(second.updates).startsWith(spoken(first.updates))).toBe(true);
    second.child.stdin?.end();
    await once(second.child, "close");
  });
});
