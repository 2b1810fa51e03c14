import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentDefinition, type ClientConnection, createAgent } from "@acp-kit/agent";
import { createGateway, type Engine, type Gateway, memoryEngine } from "@acp-kit/gateway";
import { sqliteEngine } from "@acp-kit/gateway/node";
import { Connection, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { checkV1Agent } from "@acp-kit/protocol/strict";
import { checkV2Agent } from "@acp-kit/protocol/v2/strict";
import { afterEach, describe, expect, it } from "vitest";
import { v2 as agentVersion } from "../agent/agent-version.js";
import { v2 } from "./gateway-version.js";

type Version = 1 | 2;
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Continues the turns that wait. */
let goOn: () => void;

/** The id of the newest session of an agent. */
let agentSessionId: string;

const options = [{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: "ask", options: modes() }];
function modes() {
  return ["ask", "code"].map((value) => ({ value, name: value }));
}

function definition(): AgentDefinition {
  let waits: Promise<void>;
  const arm = (): void => {
    waits = new Promise((resolve) => {
      goOn = () => {
        resolve();
        arm();
      };
    });
  };
  arm();
  const configOptions = structuredClone(options) as never;
  return {
    info: { name: "agent", version: "1.0.0" },
    newSession: () => {
      const sessionId = crypto.randomUUID();
      agentSessionId = sessionId;
      return { sessionId, configOptions };
    },
    resumeSession: () => ({ configOptions }),
    setSessionConfigOption: ({ configId, value }) => {
      const changed = (configOptions as unknown as { id: string; currentValue: unknown }[]).map((option) =>
        option.id === configId ? { ...option, currentValue: value } : option,
      );
      return { configOptions: changed as never };
    },
    prompt: async (turn) => {
      if (turn.text === "detach") {
        const call = turn.toolCall({ toolCallId: "build", title: "Build", kind: "execute", status: "in_progress" });
        await call.update({ content: [{ type: "content", content: { type: "text", text: "log" } }] });
        call.detach({ cancel: () => {} });
        void waits.then(() => call.complete());
      }
      await turn.thought("hm");
      await turn.message(`about ${turn.text}: `);
      if (turn.text === "permit") {
        const { allowed } = await turn.permit(turn.toolCall({ title: "Write", kind: "edit" }));
        await turn.message(`allowed ${allowed}`);
      }
      if (turn.text === "fail") throw new Error("no");
      if (turn.text.startsWith("wait")) await Promise.race([waits, aborted(turn.signal)]);
      turn.signal.throwIfAborted();
      await turn.message("done;");
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

interface Seen {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

interface Asked {
  readonly params: { readonly options: readonly { readonly optionId: string; readonly kind: string }[] };
  readonly signal: AbortSignal;
  respond(kind: string): void;
}

/** A client without the client library, of one version. Everything that it receives is valid in its version. */
class Client {
  readonly version: Version;
  readonly connection: Connection;
  readonly updates: Seen[] = [];
  readonly cursors: unknown[] = [];
  readonly asked: Asked[] = [];
  profile: Record<string, unknown> = {};
  #waiting: (() => void)[] = [];

  constructor(gateway: Gateway, version: Version, user = "ann") {
    this.version = version;
    const [ours, theirs] = linkedTransports();
    gateway.accept(theirs, { tenant: "acme", user });
    const check = version === 1 ? checkV1Agent : checkV2Agent;
    this.connection = new Connection(ours, {});
    this.connection.onNotification("session/update", (params) => {
      check("session/update", "params", params);
      const { update, _meta } = params as { update: Seen; _meta?: Record<string, unknown> };
      this.updates.push(update);
      this.cursors.push(_meta?.["acp-kit/cursor"]);
      this.#changed();
    });
    this.connection.onRequest("session/request_permission", (params, { signal }) => {
      check("session/request_permission", "params", params);
      return new Promise((resolve) => {
        const asked = params as Asked["params"];
        this.asked.push({
          params: asked,
          signal,
          respond: (kind) => {
            const optionId = asked.options.find((option) => option.kind === kind)?.optionId;
            resolve({ outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } });
          },
        });
        this.#changed();
      });
    });
    this.connection.listen();
    open.push(() => this.connection.close());
  }

  /** @param id `true`, or the id of the client on an earlier connection. */
  async initialize(cursors = false, id?: unknown): Promise<this> {
    const capabilities = cursors ? { _meta: { "acp-kit/cursors": true } } : {};
    const params =
      this.version === 1
        ? { protocolVersion: 1, clientCapabilities: capabilities }
        : { protocolVersion: 2, info: { name: "client", version: "1" }, capabilities };
    const meta = id === undefined ? {} : { _meta: { "acp-kit/client": id } };
    this.profile = (await this.request("initialize", { ...params, ...meta })) as Record<string, unknown>;
    return this;
  }

  async request(method: string, params: object): Promise<unknown> {
    const result = await this.connection.request(method, params);
    (this.version === 1 ? checkV1Agent : checkV2Agent)(method, "result", result);
    return result;
  }

  async create(): Promise<string> {
    const created = await this.request("session/new", { cwd: "/work", mcpServers: [] });
    return (created as { sessionId: string }).sessionId;
  }

  resume(sessionId: string, more: object = {}): Promise<unknown> {
    return this.request("session/resume", { sessionId, cwd: "/work", mcpServers: [], ...more });
  }

  /** Opens the session with its history. */
  replay(sessionId: string): Promise<unknown> {
    const params = { sessionId, cwd: "/work", mcpServers: [] };
    return this.version === 1
      ? this.request("session/load", params)
      : this.request("session/resume", { ...params, replayFrom: { type: "start" } });
  }

  prompt(sessionId: string, text: string): Promise<unknown> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** The conversation: the texts of user, agent and thoughts, in order, and the titles of calls. */
  get conversation(): string[] {
    const lines: string[] = [];
    const ids: unknown[] = [];
    for (const { sessionUpdate, content, title, messageId } of this.updates) {
      const [, kind] = /^(user|agent)_(?:message|thought)(?:_chunk)?$/.exec(sessionUpdate) ?? [];
      if (kind !== undefined) {
        const who = sessionUpdate.includes("thought") ? "thought" : kind;
        const blocks = (Array.isArray(content) ? content : [content]) as { text: string }[];
        const text = blocks.map((block) => block.text).join("");
        const last = lines.at(-1);
        if (last?.startsWith(`${who}: `)) lines[lines.length - 1] = last + text;
        else lines.push(`${who}: ${text}`);
        ids.push(messageId);
      } else if (sessionUpdate.startsWith("tool_call") && title) lines.push(`call: ${title}`);
    }
    return lines;
  }

  /** The states that a client of version 2 has received. */
  get states(): string[] {
    return this.updates.flatMap(({ sessionUpdate, state, stopReason }) =>
      sessionUpdate === "state_update" ? [stopReason === undefined ? `${state}` : `${state} ${stopReason}`] : [],
    );
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** An engine that counts the entries that it returns. */
class CountedEngine {
  entries = 0;
  readonly engine: Engine;

  constructor() {
    const memory = memoryEngine();
    const read = memory.read.bind(memory);
    memory.read = async (...params) => {
      const page = await read(...params);
      if (page.is === "page") this.entries += page.entries.length;
      return page;
    };
    this.engine = memory;
  }

  /** Returns the number of entries since the last call. */
  take(): number {
    const { entries } = this;
    this.entries = 0;
    return entries;
  }
}

async function start(agent: Version, engine: Engine = memoryEngine()) {
  const agents: Version[] = [agent];
  const defined = definition();
  let kill = (): void => {};
  let connection: ClientConnection;
  const gateway = await createGateway({
    engine,
    versions: [v2],
    start: () => {
      const [ours, theirs] = linkedTransports();
      kill = () => ours.break(new Error("killed"));
      connection = createAgent(defined, agents.at(-1) === 2 ? { versions: [agentVersion] } : {}).connect(theirs);
      return ours;
    },
  });
  open.push(() => gateway.close());
  return {
    gateway,
    agents,
    kill: () => kill(),
    agentSession: () => connection.session(agentSessionId),
    client: (version: Version, user?: string) => new Client(gateway, version, user).initialize(),
  };
}

const ended = (version: Version, client: Client, response: Promise<unknown>): Promise<unknown> =>
  version === 1
    ? response
    : response.then(() => client.until(() => client.states.at(-1)?.startsWith("idle ") === true));

for (const agent of [1, 2] as const)
  describe(`V2-REQ-31: a gateway with an agent of version ${agent}`, () => {
    it("versions.reconnect: a client of version 2 that continues at its position gets the end of each turn that it missed", async () => {
      const { client, gateway } = await start(agent);
      const watcher = await client(2);
      const first = await new Client(gateway, 2).initialize(true);
      const sessionId = await first.create();
      await watcher.resume(sessionId);
      await first.prompt(sessionId, "wait");
      await first.until(() => first.conversation.at(-1) === "agent: about wait: ");
      const cursor = first.cursors.at(-1);
      await first.connection.close();
      goOn();
      await watcher.until(() => watcher.states.at(-1) === "idle end_turn");
      await ended(2, watcher, watcher.prompt(sessionId, "next"));
      const again = await new Client(gateway, 2).initialize(true);
      await again.resume(sessionId, { _meta: { "acp-kit/cursor": cursor } });
      expect(again.conversation).toEqual(["agent: done;", "user: next", "thought: hm", "agent: about next: done;"]);
      // The last one is the current state
      expect(again.states).toEqual(["idle end_turn", "running", "idle end_turn", "idle end_turn"]);
    });

    it("versions.same-conversation: clients of both versions see the same conversation, and may prompt", async () => {
      const { client } = await start(agent);
      const first = await client(1);
      const second = await client(2);
      expect(first.profile).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
      expect(second.profile).toMatchObject({ protocolVersion: 2, capabilities: { session: { delete: {} } } });
      const sessionId = await first.create();
      await second.resume(sessionId);
      expect(second.states).toEqual(["idle"]);
      expect(await first.prompt(sessionId, "one")).toMatchObject({ stopReason: "end_turn" });
      await second.until(() => second.states.at(-1) === "idle end_turn");
      const response = await second.prompt(sessionId, "two");
      expect(response).toEqual({ messageId: expect.any(String) });
      await second.until(() => second.states.filter((state) => state === "idle end_turn").length === 2);
      const turn = (text: string) => [`user: ${text}`, "thought: hm", `agent: about ${text}: done;`];
      expect(second.conversation).toEqual([...turn("one"), ...turn("two")]);
      expect(second.states).toEqual(["idle", "running", "idle end_turn", "running", "idle end_turn"]);
      expect(second.updates).toContainEqual(
        expect.objectContaining({ sessionUpdate: "user_message", ...(response as object) }),
      );
      await first.until(() => JSON.stringify(first.updates.at(-1)).includes("idle"));
      expect(first.conversation).toEqual([...turn("one").slice(1), ...turn("two")]);
      for (const version of [1, 2] as const) {
        const late = await client(version);
        await late.replay(sessionId);
        expect(late.conversation).toEqual([...turn("one"), ...turn("two")]);
        if (version === 2)
          expect(late.states).toEqual(["idle end_turn"].map((state) => (agent === 2 ? state : "idle")));
      }
    });

    it.each([1, 2] as const)(
      "versions.same-conversation: a client of version %i may decide and cancel",
      async (version) => {
        const { client } = await start(agent);
        const other: Version = version === 1 ? 2 : 1;
        const first = await client(other);
        const decider = await client(version);
        const sessionId = await first.create();
        await decider.resume(sessionId);
        const permitted = ended(other, first, first.prompt(sessionId, "permit"));
        await Promise.all([first, decider].map((one) => one.until(() => one.asked.length === 1)));
        if (other === 2) await first.until(() => first.states.at(-1) === "requires_action");
        decider.asked[0]?.respond("allow_once");
        await permitted;
        expect(first.conversation.at(-1)).toBe("agent: allowed truedone;");
        expect(first.conversation).toContain("call: Write");
        await decider.until(() => decider.conversation.at(-1) === "agent: allowed truedone;");
        const waiting = first.prompt(sessionId, "wait");
        await decider.until(() => decider.conversation.at(-1)?.endsWith("about wait: ") === true);
        decider.connection.notify("session/cancel", { sessionId });
        const response = await waiting;
        if (other === 1) expect(response).toMatchObject({ stopReason: "cancelled" });
        else await first.until(() => first.states.at(-1) === "idle cancelled");
      },
    );

    it("versions.reconnect: the right state follows a reconnect, and each update once", async () => {
      const { client, gateway } = await start(agent);
      const prompter = await client(1);
      const first = await new Client(gateway, 2).initialize(true);
      const sessionId = await prompter.create();
      await first.resume(sessionId);
      const response = prompter.prompt(sessionId, "wait");
      await first.until(() => first.conversation.at(-1) === "agent: about wait: ");
      const cursor = first.cursors.at(-1);
      await first.connection.close();
      const second = await new Client(gateway, 2).initialize(true);
      await second.resume(sessionId, { _meta: { "acp-kit/cursor": cursor } });
      expect(second.states).toEqual(["running"]);
      goOn();
      await response;
      await second.until(() => second.states.at(-1) === "idle end_turn");
      expect(second.conversation).toEqual(["agent: done;"]);
      const idsOf = (one: Client) =>
        one.updates.flatMap(({ sessionUpdate, messageId }) =>
          sessionUpdate === "agent_message_chunk" ? [messageId] : [],
        );
      expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(1);
      const third = await client(2);
      await third.resume(sessionId);
      expect(third.states.at(-1)).toMatch(/^idle/);
    });

    it("versions.same-conversation: clients of both versions get the end of a turn whose session is deleted on another server", async () => {
      const engine = memoryEngine();
      const [find, read, watch] = [engine.find.bind(engine), engine.read.bind(engine), engine.watch.bind(engine)];
      const watchers: (() => void)[] = [];
      let isDeleted = false;
      engine.find = async (key) => (isDeleted ? undefined : find(key));
      engine.read = async (key, after, limits) => (isDeleted ? { is: "missing" } : read(key, after, limits));
      engine.watch = (key, onChange) => {
        watchers.push(onChange);
        return watch(key, onChange);
      };
      const [here, there] = [await start(agent, engine), await start(agent, engine)];
      const first = await there.client(2);
      const sessionId = await first.create();
      const [second, third] = [await here.client(1), await here.client(2)];
      for (const watcher of [second, third]) await watcher.resume(sessionId);
      await first.prompt(sessionId, "wait");
      await Promise.all(
        [second, third].map((one) => one.until(() => one.conversation.at(-1) === "agent: about wait: ")),
      );
      expect(third.states.at(-1)).toBe("running");
      isDeleted = true;
      for (const changed of watchers) changed();
      await third.until(() => third.states.at(-1) === "idle error");
      expect(third.updates.at(-1)).toMatchObject({ error: { code: -32002 } });
      const notice = { "acp-kit/turn": "idle", "acp-kit/outcome": { error: { code: -32002 } } };
      await second.until(() => "_meta" in (second.updates.at(-1) ?? {}));
      expect(second.updates.at(-1)).toMatchObject({ sessionUpdate: "session_info_update", _meta: notice });
    });

    it("versions.reconnect: in version 2, only states say whether the agent works", async () => {
      const { client } = await start(agent);
      const first = await client(2);
      const sessionId = await first.create();
      await first.prompt(sessionId, "wait");
      await first.until(() => first.states.at(-1) === "running");
      const second = await client(2);
      expect(await second.resume(sessionId)).not.toHaveProperty("_meta.acp-kit/turn");
      expect(second.states).toEqual(["running"]);
      goOn();
      await second.until(() => second.states.at(-1) === "idle end_turn");
      const third = await client(2);
      expect(await third.replay(sessionId)).not.toHaveProperty("_meta.acp-kit/outcome");
      expect(third.states.at(-1)).toMatch(/^idle/);
    });

    it("versions.reconnect: a prompt of version 2 that is repeated during its turn, or after it, gets the same response", async () => {
      const { gateway } = await start(agent);
      const first = await new Client(gateway, 2).initialize(true);
      const sessionId = await first.create();
      const prompt = { sessionId, prompt: [{ type: "text", text: "wait" }], _meta: { "acp-kit/key": "k" } };
      const { messageId } = (await first.request("session/prompt", prompt)) as { messageId: string };
      await first.until(() => first.conversation.at(-1) === "agent: about wait: ");
      await first.connection.close();
      const second = await new Client(gateway, 2).initialize(true);
      await second.resume(sessionId, { _meta: { "acp-kit/cursor": first.cursors.at(-1) } });
      expect(await second.request("session/prompt", prompt)).toMatchObject({ messageId });
      goOn();
      await second.until(() => second.states.at(-1) === "idle end_turn");
      const third = await new Client(gateway, 2).initialize();
      await third.resume(sessionId);
      expect(await third.request("session/prompt", prompt)).toMatchObject({ messageId });
      expect(third.conversation).toEqual([]);
    });

    it("versions.reconnect: a prompt of version 2 has its response although its client opens the session again", async () => {
      const { client } = await start(agent);
      const first = await client(2);
      const sessionId = await first.create();
      const [response] = await Promise.all([
        first.prompt(sessionId, "one"),
        first.replay(sessionId),
        first.replay(sessionId),
      ]);
      expect(response).toEqual({ messageId: expect.any(String) });
    });

    it("versions.reconnect: a client of version 1 gets no word of a message twice", async () => {
      const { client, gateway } = await start(agent);
      const prompter = await client(2);
      const first = await new Client(gateway, 1).initialize(true);
      const sessionId = await prompter.create();
      await first.resume(sessionId);
      await prompter.prompt(sessionId, "wait");
      await first.until(() => first.conversation.at(-1) === "agent: about wait: ");
      const cursor = first.cursors.at(-1);
      await first.connection.close();
      const second = await new Client(gateway, 1).initialize(true);
      const resumed = await second.resume(sessionId, { _meta: { "acp-kit/cursor": cursor } });
      expect(resumed).toMatchObject({ _meta: { "acp-kit/turn": "running" } });
      goOn();
      await second.until(() => second.conversation.at(-1) === "agent: done;");
      expect(second.conversation).toEqual(["agent: done;"]);
    });

    it.each([1, 2] as const)(
      "versions.reconnect: for a client of version %i that comes back to a long session, the gateway reads about the entries that follow",
      async (version) => {
        const counted = new CountedEngine();
        const { client, gateway } = await start(agent, counted.engine);
        const first = await new Client(gateway, version).initialize(true);
        const sessionId = await first.create();
        const cursors: unknown[] = [];
        for (let turn = 1; turn <= 100; turn += 1) {
          await first.prompt(sessionId, "more");
          if (version === 2)
            await first.until(() => first.states.filter((state) => state !== "running").length === turn);
          cursors.push(first.cursors.at(-1));
        }
        first.prompt(sessionId, "wait").catch(() => {}); // the connection ends before the turn
        await first.until(() => first.conversation.at(-1)?.endsWith("about wait: ") === true);
        cursors.push(first.cursors.at(-1));
        await first.connection.close();
        counted.take();
        await (await client(version)).replay(sessionId);
        const perTurn = counted.take() / 101;
        for (const missed of [0, 1, 10, 30]) {
          const again = await new Client(gateway, version).initialize(true);
          await again.resume(sessionId, { _meta: { "acp-kit/cursor": cursors.at(-1 - missed) } });
          if (missed > 0) await again.until(() => again.conversation.at(-1)?.endsWith("about wait: ") === true);
          expect(again.conversation.filter((line) => line === "user: more")).toHaveLength(Math.max(0, missed - 1));
          expect(counted.take()).toBeLessThanOrEqual(perTurn * (3 * missed + 3));
        }
        await (await client(version)).resume(sessionId);
        expect(counted.take()).toBeLessThanOrEqual(perTurn * 3);
        goOn();
      },
    );

    it("serves modes and options in both versions", async () => {
      const { client } = await start(agent);
      const [first, second] = [await client(1), await client(2)];
      const sessionId = await first.create();
      const resumed = await second.resume(sessionId);
      expect(resumed).toMatchObject({ configOptions: [{ configId: "mode", currentValue: "ask" }] });
      const set = await second.request("session/set_config_option", {
        sessionId,
        configId: "mode",
        type: "id",
        value: "code",
      });
      expect(set).toMatchObject({ configOptions: [{ configId: "mode", currentValue: "code" }] });
      await first.until(() => first.updates.some(({ sessionUpdate }) => sessionUpdate === "config_option_update"));
      expect(first.updates.find(({ sessionUpdate }) => sessionUpdate === "config_option_update")).toMatchObject({
        configOptions: [{ id: "mode", currentValue: "code" }],
      });
      const back = await first.request("session/set_config_option", { sessionId, configId: "mode", value: "ask" });
      expect(back).toMatchObject({ configOptions: [{ id: "mode", currentValue: "ask" }] });
      await second.until(() => second.updates.some(({ sessionUpdate }) => sessionUpdate === "config_option_update"));
    });

    it("lists, closes and deletes sessions for clients of both versions", async () => {
      const { client } = await start(agent);
      const [first, second] = [await client(1), await client(2)];
      const sessionId = await second.create();
      for (const one of [first, second])
        expect(await one.request("session/list", {})).toMatchObject({ sessions: [{ sessionId, cwd: "/work" }] });
      expect(await second.request("session/close", { sessionId })).toEqual({});
      await first.resume(sessionId);
      expect(await first.request("session/delete", { sessionId })).toEqual({});
      await expect(second.resume(sessionId)).rejects.toMatchObject({ code: -32002, data: { sessionId } });
    });

    it("rejects a held prompt that is cancelled, and ends the turn before it", async () => {
      const { client } = await start(agent);
      const first = await client(2);
      const sessionId = await first.create();
      await first.prompt(sessionId, "wait");
      const held = first.prompt(sessionId, "held");
      const rejected = expect(held).rejects.toMatchObject({ code: -32800 });
      first.connection.notify("session/cancel", { sessionId });
      await rejected;
      await first.until(() => first.states.at(-1) === "idle cancelled");
      expect(first.conversation.some((line) => line.includes("held"))).toBe(false);
    });

    it("reports the end of the work of an agent that ended", async () => {
      const { client, kill } = await start(agent);
      const [first, second] = [await client(1), await client(2)];
      const sessionId = await first.create();
      await second.resume(sessionId);
      const response = first.prompt(sessionId, "wait");
      await second.until(() => second.conversation.at(-1) === "agent: about wait: ");
      const rejected = expect(response).rejects.toMatchObject({ data: { reason: "agent_failed" } });
      kill();
      await rejected;
      await second.until(() => second.states.at(-1) === "idle error");
      const late = await client(2);
      await late.resume(sessionId);
      expect(late.states.at(-1)).toMatch(/^idle/);
    });

    it("reports the end of a failed turn", async () => {
      const { client } = await start(agent);
      const [first, second] = [await client(1), await client(2)];
      const sessionId = await first.create();
      await second.resume(sessionId);
      await expect(first.prompt(sessionId, "fail")).rejects.toMatchObject({ code: -32603 });
      await second.until(() => second.states.at(-1) === "idle error");
      expect(second.updates.at(-1)).toMatchObject({ error: { code: -32603 } });
    });
  });

describe("V2-REQ-31: work that an agent of version 2 has started itself", () => {
  /** Begins such work, which ends when `finish` is called or when it is cancelled. */
  async function working(cursors = false) {
    const { client, gateway, agentSession } = await start(2);
    const first = await new Client(gateway, 2).initialize(cursors);
    const sessionId = await first.create();
    await ended(2, first, first.prompt(sessionId, "one"));
    const before = first.cursors.at(-1);
    const { promise, resolve: finish } = deferred();
    const work = agentSession().work(async (turn) => {
      await turn.message("own;");
      await Promise.race([promise, aborted(turn.signal)]);
    });
    await first.until(() => first.conversation.at(-1)?.includes("own;") === true);
    return { client, first, sessionId, before, finish, work };
  }

  it.each([1, 2] as const)("is cancelled by any client of the session, of version %i", async (version) => {
    const { client, first, sessionId, work } = await working();
    const other = await client(version);
    await other.resume(sessionId);
    void other.connection.notify("session/cancel", { sessionId });
    await work;
    await first.until(() => first.states.at(-1) === "idle cancelled");
  });

  it("is not cancelled by a client that had not seen its beginning when it cancelled", async () => {
    const { first, sessionId, before, finish, work } = await working(true);
    void first.connection.notify("session/cancel", { sessionId, _meta: { "acp-kit/cursor": before } });
    await first.resume(sessionId); // the cancellation is handled first
    finish();
    await work;
    await first.until(() => first.states.at(-1) === "idle end_turn");
  });
});

it("versions.reconnect: a client of version 2 that loses its connection again after the message of a turn gets the state of the turn", async () => {
  const { client, gateway } = await start(1);
  const watcher = await client(2);
  const sessionId = await watcher.create();
  let cursor: unknown = "j0.0";
  const continued = async (): Promise<Client> => {
    const again = await new Client(gateway, 2).initialize(true);
    await again.resume(sessionId, { _meta: { "acp-kit/cursor": cursor } });
    return again;
  };
  await ended(2, watcher, watcher.prompt(sessionId, "one"));
  const { updates, cursors } = await continued();
  const message = updates.findIndex(({ sessionUpdate }) => sessionUpdate === "user_message");
  cursor = cursors.slice(0, message + 1).findLast((one) => one !== undefined) ?? cursor;
  expect((await continued()).states).toEqual(["running", "idle end_turn", "idle end_turn"]);
});

it("versions.reconnect: a client of version 1 that comes back turns after a call was detached gets the rest of the call", async () => {
  const { client, gateway } = await start(2);
  const prompter = await client(1);
  const first = await new Client(gateway, 1).initialize(true);
  const sessionId = await prompter.create();
  await first.resume(sessionId);
  for (const text of ["detach", "one", "two"]) await prompter.prompt(sessionId, text);
  await first.until(() => first.conversation.at(-1)?.endsWith("about two: done;") === true);
  const cursor = first.cursors.at(-1);
  await first.connection.close();
  const second = await new Client(gateway, 1).initialize(true);
  await second.resume(sessionId, { _meta: { "acp-kit/cursor": cursor } });
  goOn();
  await second.until(() => second.updates.some(({ status }) => status === "completed"));
  expect(second.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"))).toEqual([
    { sessionUpdate: "tool_call_update", toolCallId: "build", status: "completed" },
  ]);
});

interface ModeSettings {
  mode: string;
  /** A change waits for the promise of this function. */
  readonly ready?: () => Promise<void>;
}

/** An agent with modes, without the agent library. Its mode is that of the caller's `settings`. */
function modeAgent(version: Version, transport: Transport, settings: ModeSettings): void {
  const agent = new Connection(transport);
  const update = (sessionId: string, sent: object): void =>
    void agent.notify("session/update", { sessionId, update: sent });
  const setup = (): object => {
    const { mode } = settings;
    const availableModes = modes().map(({ value: id, name }) => ({ id, name }));
    if (version === 1) return { modes: { currentModeId: mode, availableModes } };
    const option = { configId: "mode", name: "Mode", category: "mode", type: "select", options: modes() };
    return { configOptions: [{ ...option, currentValue: mode }] };
  };
  const responses: Record<string, (params: { sessionId: string; modeId?: string; value?: string }) => unknown> = {
    initialize: () =>
      version === 1
        ? { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } }
        : { protocolVersion: 2, info: { name: "agent", version: "1" }, capabilities: { session: {} } },
    "session/new": () => ({ sessionId: "session", ...setup() }),
    "session/resume": setup,
    "session/set_mode": ({ modeId = "" }) => {
      settings.mode = modeId;
      return {};
    },
    "session/set_config_option": async ({ value = "" }) => {
      await settings.ready?.();
      settings.mode = value;
      return setup();
    },
    "session/prompt": ({ sessionId }) => {
      if (version === 1) return { stopReason: "end_turn" };
      for (const state of ["running", "idle"]) update(sessionId, { sessionUpdate: "state_update", state });
      return { messageId: crypto.randomUUID() };
    },
  };
  for (const [method, respond] of Object.entries(responses))
    agent.onRequest(method, (params) => respond(params as { sessionId: string }));
  agent.listen();
}

/** Lets an agent make changes when it has received two of them. */
function bothReceived(): () => Promise<void> {
  const { promise, resolve } = deferred();
  let changes = 0;
  return () => {
    changes += 1;
    if (changes === 2) resolve();
    return promise;
  };
}

async function startModes(version: Version = 1, settings: ModeSettings = { mode: "ask" }, engine = memoryEngine()) {
  const agent = { version, settings };
  let kill = (): void => {};
  const gateway = await createGateway({
    engine,
    versions: [v2],
    start: () => {
      const [ours, theirs] = linkedTransports();
      kill = () => ours.break(new Error("killed"));
      modeAgent(agent.version, theirs, agent.settings);
      return ours;
    },
  });
  open.push(() => gateway.close());
  const first = await new Client(gateway, 1).initialize();
  const second = await new Client(gateway, 2).initialize();
  const sessionId = await first.create();
  await second.resume(sessionId);
  await first.prompt(sessionId, "one");
  const restart = (version: Version, mode: string): void => {
    kill();
    Object.assign(agent, { version, settings: { mode } });
  };
  return { first, second, sessionId, restart };
}

describe("V2-REQ-31: an agent that speaks another version after its restart", () => {
  it("versions.same-conversation: clients of both versions show its mode", async () => {
    const { first, second, sessionId, restart } = await startModes();
    for (const [version, mode] of [
      [2, "code"],
      [1, "ask"],
    ] as const) {
      restart(version, mode);
      await first.prompt(sessionId, "two");
      await first.until(() => first.updates.some(({ currentModeId }) => currentModeId === mode));
      const shown = expect.objectContaining({ configId: "mode", currentValue: mode });
      await second.until(() => JSON.stringify(second.updates).includes(`"currentValue":"${mode}"`));
      const options = second.updates.filter(({ sessionUpdate }) => sessionUpdate === "config_option_update");
      expect(options.at(-1)).toMatchObject({ configOptions: [shown] });
    }
  });

  it.each([1, 2] as const)(
    "versions.same-conversation: a client of version %i that changes its mode first gets an error, and no result of the other version",
    async (version) => {
      const { first, second, sessionId, restart } = await startModes();
      restart(2, "ask");
      const set = () =>
        version === 1
          ? first.request("session/set_mode", { sessionId, modeId: "code" })
          : second.request("session/set_config_option", { sessionId, configId: "mode", type: "id", value: "code" });
      await expect(set()).rejects.toMatchObject({ data: { reason: "agent_failed" } });
      const shown = version === 1 ? {} : { configOptions: [{ configId: "mode", currentValue: "code" }] };
      expect(await set()).toMatchObject(shown);
    },
  );
});

it("versions.same-conversation: a client of version 2 gets the end of a turn whose agent was started again in version 2 before it got the prompt", async () => {
  const engine = memoryEngine();
  const join = engine.join.bind(engine);
  let onStart = (): void => {};
  engine.join = async (replica) => {
    const membership = await join(replica);
    return {
      ...membership,
      append: (lease, first, entries, patch) => {
        if (entries.some((text) => text.startsWith('{"type":"turn_started"'))) onStart();
        return membership.append(lease, first, entries, patch);
      },
    };
  };
  const { first, second, sessionId, restart } = await startModes(1, { mode: "ask" }, engine);
  onStart = () => {
    onStart = () => {};
    restart(2, "ask");
  };
  await expect(first.prompt(sessionId, "two")).rejects.toMatchObject({ data: { reason: "agent_failed" } });
  await second.until(() => second.states.at(-1)?.startsWith("idle") === true);
  expect(second.states.slice(-2)).toEqual(["running", "idle error"]);
});

it("versions.same-conversation: a client of version 1 shows a mode that another client sets after its own, although it gets its response later", async () => {
  const { first, second, sessionId } = await startModes(2, { mode: "ask", ready: bothReceived() });
  const other = { sessionId, configId: "mode", type: "id", value: "ask" };
  await Promise.all([
    first.request("session/set_mode", { sessionId, modeId: "code" }),
    second.request("session/set_config_option", other),
  ]);
  const shown = () => first.updates.flatMap(({ currentModeId }) => currentModeId ?? []);
  await first.until(() => shown().length === 3);
  expect(shown()).toEqual(["code", "ask", "ask"]); // the last one follows the response
});

it("versions.same-conversation: a client of version 1 shows the mode that it sets through an option before it has the response to session/set_mode", async () => {
  const { first, sessionId } = await startModes(2, { mode: "ask", ready: bothReceived() });
  await Promise.all([
    first.request("session/set_mode", { sessionId, modeId: "code" }),
    first.request("session/set_config_option", { sessionId, configId: "mode", value: "ask" }),
  ]);
  await first.resume(sessionId);
  expect(first.updates.flatMap(({ currentModeId }) => currentModeId ?? [])).toEqual(["ask"]);
});

it("versions.same-conversation: a client of version 1 shows the mode that it sets through an option, although another client sets one before the response", async () => {
  const { first, second, sessionId } = await startModes(2, { mode: "ask", ready: bothReceived() });
  await Promise.all([
    second.request("session/set_config_option", { sessionId, configId: "mode", type: "id", value: "code" }),
    first.request("session/set_config_option", { sessionId, configId: "mode", value: "ask" }),
  ]);
  expect(first.updates.flatMap(({ currentModeId }) => currentModeId ?? [])).toEqual(["code", "ask"]);
});

it("versions.reconnect: the mode that a client of version 1 gets with an option has a cursor, so that it is no part of the next entry", async () => {
  const { gateway } = await start(2);
  const client = await new Client(gateway, 1).initialize(true);
  const sessionId = await client.create();
  await client.request("session/set_config_option", { sessionId, configId: "mode", value: "code" });
  const index = client.updates.findIndex(({ sessionUpdate }) => sessionUpdate === "current_mode_update");
  expect(client.updates[index]).toMatchObject({ currentModeId: "code" });
  expect(client.cursors[index]).toEqual(expect.any(String));
});

describe("V2-REQ-31: the journal", () => {
  it("versions.same-conversation: has the updates as the agent sent them, and delivers the same bytes to clients of its version", async () => {
    const { gateway, client } = await start(2);
    const first = await client(2);
    const sessionId = await first.create();
    await first.prompt(sessionId, "hello");
    await first.until(() => first.states.at(-1) === "idle end_turn");
    const journal = await gateway.journal({ tenant: "acme", user: "ann" }, sessionId);
    const page = await journal?.read(undefined);
    journal?.close();
    const entries = page?.is === "page" ? page.entries.map(({ entry }) => entry) : [];
    const updates = entries.flatMap((entry) => (entry.type === "update" ? [entry] : []));
    expect(updates.every(({ version }) => version === 2)).toBe(true);
    expect(updates.map(({ params }) => params.update)).toEqual(first.updates);
    expect(entries.map(({ type }) => type).filter((type) => type !== "update")).toEqual([
      "turn_started",
      "prompt_inserted",
      "turn_ended",
    ]);
  });

  it("survives an agent that speaks another version after its restart, on SQLite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acp-kit-versions-"));
    open.push(async () => rmSync(folder, { recursive: true }));
    const engine = sqliteEngine({ path: join(folder, "sessions.db") });
    open.push(() => engine.close());
    const { client, agents } = await start(1, engine);
    const first = await client(1);
    const sessionId = await first.create();
    await first.prompt(sessionId, "one");
    await first.request("session/close", { sessionId });
    agents.push(2);
    const second = await client(2);
    await second.replay(sessionId);
    await second.prompt(sessionId, "two");
    await second.until(() => second.states.at(-1) === "idle end_turn");
    const turn = (text: string) => [`user: ${text}`, "thought: hm", `agent: about ${text}: done;`];
    expect(second.conversation).toEqual([...turn("one"), ...turn("two")]);
    const late = await client(1);
    await late.replay(sessionId);
    expect(late.conversation).toEqual([...turn("one"), ...turn("two")]);
  });
});

describe("bad input", () => {
  it("a client of version 2 without its name is refused, and one of version 1 can't use methods of version 2", async () => {
    const { gateway, client } = await start(2);
    const unnamed = new Client(gateway, 2);
    await expect(unnamed.connection.request("initialize", { protocolVersion: 2 })).rejects.toMatchObject({
      code: -32602,
    });
    const first = await client(1);
    const sessionId = await first.create();
    const cancel = { sessionId, toolCallId: "x" };
    await expect(first.connection.request("tool_call/cancel", cancel)).rejects.toMatchObject({ code: -32601 });
    const second = await client(2);
    const load = { sessionId, cwd: "/work", mcpServers: [] };
    await expect(second.connection.request("session/load", load)).rejects.toMatchObject({ code: -32601 });
    await expect(second.resume(sessionId, { replayFrom: { type: "_other" } })).rejects.toMatchObject({ code: -32602 });
  });

  it.each([1, 2] as const)(
    "a client of version %i that reconnects with the other version continues, and its prompt runs once",
    async (version) => {
      const other: Version = version === 1 ? 2 : 1;
      const { gateway } = await start(version);
      const first = await new Client(gateway, version).initialize(true, true);
      const id = (first.profile._meta as Record<string, unknown>)["acp-kit/client"];
      const sessionId = await first.create();
      const prompt = [{ type: "text", text: "wait" }];
      const keyed = { sessionId, prompt, _meta: { "acp-kit/key": "k" } };
      first.request("session/prompt", keyed).catch(() => {}); // version 1: the connection ends before the turn
      await first.until(() => first.conversation.at(-1) === "agent: about wait: ");
      const cursor = first.cursors.at(-1);
      await first.connection.close();
      const second = await new Client(gateway, other).initialize(true, id);
      const meta = { "acp-kit/cursor": cursor, "acp-kit/prompts": [{ key: "k" }] };
      await second.resume(sessionId, { _meta: meta });
      const response = second.request("session/prompt", keyed);
      if (other === 2) expect(await response).toEqual({ messageId: expect.any(String) });
      goOn();
      if (other === 2) await second.until(() => second.states.at(-1) === "idle end_turn");
      else expect(await response).toMatchObject({ stopReason: "end_turn" });
      expect(second.conversation).toEqual(["agent: done;"]);
    },
  );

  it("forged cursors, cursors of another session and of another user are refused, in both versions", async () => {
    const { client, gateway } = await start(1);
    const ann = await new Client(gateway, 2).initialize(true);
    const long = await ann.create();
    await ann.prompt(long, "one");
    await ann.until(() => ann.states.at(-1) === "idle end_turn");
    const cursor = ann.cursors.at(-1);
    const short = await ann.create();
    const bob = await client(2, "bob");
    for (const version of [1, 2] as const) {
      const other = await client(version);
      const resume = (sessionId: string, forged: unknown) =>
        other.resume(sessionId, { _meta: { "acp-kit/cursor": forged } });
      for (const forged of ["", "x", "9999999", 5, null, {}, "0.1", `${cursor}0`])
        await expect(resume(long, forged)).rejects.toMatchObject({ code: expect.any(Number) });
      await expect(resume(short, cursor)).rejects.toMatchObject({ code: expect.any(Number) });
    }
    await expect(bob.resume(long, { _meta: { "acp-kit/cursor": cursor } })).rejects.toMatchObject({ code: -32002 });
  });

  it.each([1, 2] as const)(
    "a session that a client of version %i replays 1,000 times at once gives each replay once, and stays usable",
    { timeout: 120_000 },
    async (version) => {
      const { client } = await start(1);
      const first = await client(version);
      const sessionId = await first.create();
      await first.prompt(sessionId, "one");
      if (version === 2) await first.until(() => first.states.at(-1) === "idle end_turn");
      const isUserMessage = ({ sessionUpdate }: Seen): boolean => sessionUpdate.startsWith("user_message");
      const before = first.updates.filter(isUserMessage).length;
      const results = await Promise.allSettled(Array.from({ length: 1_000 }, () => first.replay(sessionId)));
      const served = results.filter(({ status }) => status === "fulfilled").length;
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      for (const error of refused) expect(error).toMatchObject({ data: { reason: "limit" } });
      expect(served).toBeGreaterThan(0);
      expect(first.updates.filter(isUserMessage)).toHaveLength(before + served);
      await first.prompt(sessionId, "two");
    },
  );
});
