import { type AgentDefinition, createAgent } from "@acp-kit/agent";
import { linkedTransports, Peer, type V1ClientCalls, v1Client } from "@acp-kit/protocol";
import { type V2ClientCalls, v2Client } from "@acp-kit/protocol/v2";
import { memoryStore, withSessions } from "@acp-kit/sessions";
import type { InitializeResponse } from "@acp-kit/types";
import { afterEach, describe, expect, test } from "vitest";
import { v2 } from "./agent-version.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

interface Update {
  readonly sessionUpdate: string;
  readonly state?: string;
  readonly stopReason?: string;
  readonly messageId?: string;
  readonly content?: unknown;
}

/** Connects a client of version 2 to the agent. */
async function connect(definition: AgentDefinition) {
  const [left, right] = linkedTransports();
  const connection = createAgent(definition, { versions: [v2] }).connect(left);
  const peer = new Peer<V2ClientCalls>(right, v2Client);
  const updates: Update[] = [];
  let check = (): void => {};
  peer.handleNotification("session/update", ({ update }) => {
    updates.push(update as Update);
    check();
  });
  open.push(connection, peer.connection);
  peer.connection.listen();
  await peer.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
  peer.setAgreement({ protocolVersion: 2, capabilities: { session: {} } });
  const until = (isIt: (update: Update) => boolean): Promise<void> =>
    new Promise((resolve) => {
      check = () => {
        if (updates.some(isIt)) resolve();
      };
      check();
    });
  return {
    connection,
    updates,
    until,
    idle: (stopReason: string) => until(({ state, stopReason: reason }) => state === "idle" && reason === stopReason),
    create: () => peer.request("session/new", { cwd: "/work" }),
    prompt: (text: string) => peer.request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text }] }),
    resume: (options: object = {}) => peer.request("session/resume", { sessionId: "s", cwd: "/work", ...options }),
    close: () => peer.connection.close(),
  };
}

/** Connects a client of version 1 to the agent. `texts` are those of the chunks that it has received, by their kind. */
async function connectV1(definition: AgentDefinition) {
  const [left, right] = linkedTransports();
  const connection = createAgent(definition, { versions: [v2] }).connect(left);
  const peer: Peer<V1ClientCalls> = new Peer(right, v1Client, {});
  const texts: [kind: string, text: string][] = [];
  peer.handleNotification("session/update", ({ update }) => {
    if (!update.sessionUpdate.endsWith("_chunk")) return;
    const kind = update.sessionUpdate.replace("_chunk", "");
    texts.push([kind, (update as { content: { text: string } }).content.text]);
  });
  open.push(connection, peer.connection);
  peer.connection.listen();
  const initialized = (await peer.request("initialize", { protocolVersion: 1 })) as InitializeResponse;
  peer.setAgreement({ protocolVersion: 1, capabilities: initialized.agentCapabilities });
  return {
    texts,
    create: () => peer.request("session/new", { cwd: "/work", mcpServers: [] }),
    load: () => peer.request("session/load", { sessionId: "s", cwd: "/work", mcpServers: [] }),
    prompt: (text: string) => peer.request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text }] }),
    close: async () => {
      await peer.connection.close();
      await connection.close();
    },
  };
}

const replayFrom = { type: "start" };
const agentOf = (definition: Partial<AgentDefinition>, store = memoryStore()): AgentDefinition =>
  withSessions(
    {
      info: { name: "test", version: "1" },
      newSession: () => ({ sessionId: "s" }),
      prompt: async () => {},
      ...definition,
    },
    store,
  );

describe("a session on connections of version 2", () => {
  test("V2-REQ-10: is replayed with the message ids of the live turn, after a restart", async () => {
    const store = memoryStore();
    const prompt: AgentDefinition["prompt"] = async (turn) => {
      await turn.thought("hm");
      await turn.message(`You said: ${turn.text}`);
    };
    const first = await connect(agentOf({ prompt }, store));
    await first.create();
    const { messageId } = await first.prompt("hello");
    await first.idle("end_turn");
    const live = first.updates.flatMap(({ messageId: id }) => (id === undefined ? [] : [id]));
    expect(live[0]).toBe(messageId);
    await first.close();
    await first.connection.close();
    const second = await connect(agentOf({ prompt }, store));
    await second.resume({ replayFrom });
    const replayed = second.updates.flatMap(({ messageId: id }) => (id === undefined ? [] : [id]));
    expect(replayed).toEqual(live);
    expect(second.updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
  });

  test("V2-REQ-10: a prompt is stored before it becomes part of the conversation", async () => {
    const order: string[] = [];
    const store = memoryStore();
    const logged = {
      ...store,
      owner: (name: string) => {
        const sessions = store.owner(name);
        return {
          ...sessions,
          open: async (sessionId: string) => {
            const log = await sessions.open(sessionId);
            return {
              ...log,
              token: log.token,
              release: () => log.release(),
              setTitle: (title: string | null) => log.setTitle(title),
              append: async (entry: Parameters<typeof log.append>[0]) => {
                await new Promise((resolve) => setImmediate(resolve));
                order.push(entry.type);
                return log.append(entry);
              },
            };
          },
        };
      },
    };
    const client = await connect(agentOf({}, logged as typeof store));
    await client.create();
    void client.until(({ sessionUpdate }) => {
      if (sessionUpdate === "user_message" && !order.includes("user_message")) order.push("user_message");
      return false;
    });
    await client.prompt("hello");
    expect(order.slice(0, 2)).toEqual(["prompt", "user_message"]);
  });

  test("V2-REQ-12: a turn of another connection is reported as running, and its end arrives", async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const definition = agentOf({
      keepTurns: true,
      prompt: async (turn) => {
        await turn.message("started");
        await finished;
        await turn.message("finished");
        return "max_tokens";
      },
    });
    const first = await connect(definition);
    await first.create();
    await first.prompt("go");
    const second = await connect(definition);
    await second.resume({ replayFrom });
    expect(second.updates.at(-1)).toMatchObject({ sessionUpdate: "state_update", state: "running" });
    expect(second.updates.filter(({ sessionUpdate }) => sessionUpdate === "state_update")).toHaveLength(1);
    finish();
    await Promise.all([first.idle("max_tokens"), second.idle("max_tokens")]);
    const textOf = (updates: readonly Update[]): unknown[] =>
      updates.flatMap(({ sessionUpdate, content }) =>
        sessionUpdate === "agent_message_chunk" ? [(content as { text: string }).text] : [],
      );
    expect(textOf(first.updates)).toEqual(["started", "finished"]);
    expect(textOf(second.updates)).toEqual(["started", "finished"]);
    // A later turn of the first connection
    second.updates.length = 0;
    first.updates.length = 0;
    await first.prompt("again");
    await Promise.all([first.idle("max_tokens"), second.idle("max_tokens")]);
    expect(second.updates.map(({ state, sessionUpdate }) => state ?? sessionUpdate)).toEqual([
      ...["running", "agent_message_chunk", "agent_message_chunk", "idle"],
    ]);
  });

  test("updates of a turn on version 1 arrive once on version 2, and are logged once", async () => {
    const store = memoryStore();
    const definition = agentOf(
      {
        prompt: async (turn) => {
          await turn.message("one");
          await turn.message("two");
        },
      },
      store,
    );
    const first = await connectV1(definition);
    await first.create();
    const second = await connect(definition);
    await second.resume();
    await first.prompt("go");
    await second.idle("end_turn");
    const chunks = second.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    expect(chunks.map(({ content }) => (content as { text: string }).text)).toEqual(["one", "two"]);
    expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
    const log = await store.owner("local").read("s");
    const logged = log.flatMap(({ entry }) => (entry.type === "update" ? [entry.update.sessionUpdate] : []));
    expect(logged.filter((tag) => tag === "agent_message_chunk")).toHaveLength(2);
    expect(first.texts.map(([, text]) => text)).toEqual(["one", "two"]);
  });

  const conversation: AgentDefinition["prompt"] = async (turn) => {
    await turn.thought("hm");
    const call = turn.toolCall({ title: "Run", kind: "execute" });
    await call.complete();
    await turn.message(`You said: ${turn.text}`);
  };

  test("versions.stored: (V2-REQ-32) a session stored under version 1 is replayed under version 2, after a restart", async () => {
    const store = memoryStore();
    const first = await connectV1(agentOf({ prompt: conversation }, store));
    await first.create();
    await first.prompt("hello");
    await first.close();
    const second = await connect(agentOf({ prompt: conversation }, store));
    await second.resume({ replayFrom });
    expect(second.updates.filter(({ sessionUpdate }) => sessionUpdate !== "session_info_update")).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hello" } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
      { sessionUpdate: "tool_call_update", title: "Run", status: "completed" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "You said: hello" } },
      { sessionUpdate: "state_update", state: "idle" },
    ]);
    const chunks = second.updates.filter(({ sessionUpdate }) => sessionUpdate.endsWith("_chunk"));
    expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(3);
  });

  test("versions.stored: (V2-REQ-32) a session stored under version 2 is replayed under version 1, after a restart", async () => {
    const store = memoryStore();
    const first = await connect(agentOf({ prompt: conversation }, store));
    await first.create();
    await first.prompt("hello");
    await first.idle("end_turn");
    await first.close();
    await first.connection.close();
    const second = await connectV1(agentOf({ prompt: conversation }, store));
    await second.load();
    expect(second.texts).toEqual([
      ["user_message", "hello"],
      ["agent_thought", "hm"],
      ["agent_message", "You said: hello"],
    ]);
    await second.prompt("more");
    expect(second.texts.slice(3)).toEqual([
      ["agent_thought", "hm"],
      ["agent_message", "You said: more"],
    ]);
  });
});
