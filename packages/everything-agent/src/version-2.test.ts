import { type Diagnostic, linkedTransports, Peer } from "@acp-kit/protocol";
import { type V2ClientCalls, v2Client } from "@acp-kit/protocol/v2";
import { checkV2Agent } from "@acp-kit/protocol/v2/strict";
import type { IncomingSessionUpdate, PromptResponse } from "@acp-kit/types/v2";
import { describe, expect, it } from "vitest";
import { allCommands } from "./commands/index.js";
import { everythingAgent } from "./everything-agent.js";
import type { EverythingOptions } from "./options.js";
import { memoryEverythingStore } from "./session-store.js";

type Update = IncomingSessionUpdate & Record<string, unknown>;

interface Client extends AsyncDisposable {
  readonly peer: Peer<V2ClientCalls>;
  readonly updates: Update[];
  readonly diagnostics: Diagnostic[];
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  /** Resolves when an update has these members. */
  until(members: object): Promise<void>;
}

/** Connects a client of version 2. Every message of the agent is checked against the schema. */
async function connect(everything: EverythingOptions = {}): Promise<Client> {
  const [left, right] = linkedTransports();
  const diagnostics: Diagnostic[] = [];
  everythingAgent(
    { paceMs: 0, ...everything },
    { checkOutgoing: checkV2Agent, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
  ).connect(left);
  const peer = new Peer(right, v2Client);
  const updates: Update[] = [];
  const waiting = new Set<() => void>();
  peer.handleNotification("session/update", ({ update }) => {
    updates.push(update as Update);
    for (const check of waiting) check();
  });
  peer.handle("session/request_permission", ({ options }) => {
    const allowed = options.find(({ kind }) => kind === "allow_once");
    return { outcome: allowed ? { outcome: "selected", optionId: allowed.optionId } : { outcome: "cancelled" } };
  });
  peer.handle("elicitation/create", () => ({ action: "decline" }));
  peer.connection.listen();
  const agent = await peer.request("initialize", {
    protocolVersion: 2,
    info: { name: "test", version: "1" },
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  peer.setAgreement({ protocolVersion: 2, capabilities: agent.capabilities });
  return {
    peer,
    updates,
    diagnostics,
    newSession: async () => (await peer.request("session/new", { cwd: "/work" })).sessionId,
    prompt: (sessionId, text) => peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    until: (members) =>
      new Promise((resolve) => {
        const check = (): void => {
          const fits = updates.some((update) =>
            Object.entries(members).every(([name, value]) => JSON.stringify(update[name]) === JSON.stringify(value)),
          );
          if (fits) resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: () => peer.connection.close(),
  };
}

/** The commands whose work fails, continues after the turn, or runs until it is cancelled. */
const special = ["error", "slow"];

describe.each(allCommands.filter(({ name }) => !special.includes(name)))("/$name", ({ name, needs }) => {
  it("ends with idle, and sends only what the schema of version 2 allows", async () => {
    await using client = await connect();
    const sessionId = await client.newSession();
    await client.prompt(sessionId, `/${name}`);
    const ended = (update: Update): boolean => update.state === "idle" && typeof update.stopReason === "string";
    while (!client.updates.some(ended)) await new Promise((resolve) => setImmediate(resolve));
    expect(client.updates.find(ended)?.stopReason).toMatch(/^(end_turn|refusal|max_tokens|max_turn_requests)$/);
    expect(client.diagnostics.filter(({ code }) => code !== "version_loss")).toEqual([]);
    if (needs?.startsWith("clientCapabilities.fs") || needs === "clientCapabilities.terminal")
      expect(JSON.stringify(client.updates)).toContain(`/${name} needs ${needs}`);
  });
});

it("/background: the call is listed, can be cancelled, and its end is reported by work of the agent", async () => {
  await using client = await connect({ paceMs: 5 });
  const sessionId = await client.newSession();
  await client.prompt(sessionId, "/background 3600");
  const listed = [{ type: "tool_call", toolCallId: "call_1_1" }];
  await client.until({ state: "idle", stopReason: "end_turn", background: listed });
  await client.peer.request("tool_call/cancel", { sessionId, toolCallId: "call_1_1" });
  await client.until({ toolCallId: "call_1_1", status: "cancelled" });
  await client.until({ content: { type: "text", text: "The build was cancelled." } });
  await client.until({ state: "idle", stopReason: "end_turn", background: [] });
});

it("/slow: a second prompt is held, and can be withdrawn", async () => {
  await using client = await connect();
  const sessionId = await client.newSession();
  await client.prompt(sessionId, "/slow");
  const withdraw = new AbortController();
  const held = client.peer.request(
    "session/prompt",
    { sessionId, prompt: [{ type: "text", text: "held" }] },
    { signal: withdraw.signal },
  );
  withdraw.abort();
  await expect(held).rejects.toMatchObject({ code: -32800 });
  await client.peer.notify("session/cancel", { sessionId });
  await client.until({ state: "idle", stopReason: "cancelled" });
  expect(client.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message")).toHaveLength(1);
});

it("replays a session of version 2, with replaced messages and output of terminals", async () => {
  const store = memoryEverythingStore();
  let sessionId = "";
  {
    await using client = await connect({ store });
    sessionId = await client.newSession();
    for (const text of ["/replace", "/terminal"]) {
      client.updates.length = 0;
      await client.prompt(sessionId, text);
      await client.until({ sessionUpdate: "state_update", state: "idle", background: [], stopReason: "end_turn" });
    }
  }
  await using client = await connect({ store });
  await client.peer.request("session/resume", { sessionId, cwd: "/work", replayFrom: { type: "start" } });
  const texts = client.updates.flatMap(({ content }) => {
    const { text } = (content ?? {}) as { text?: unknown };
    return typeof text === "string" ? [text] : [];
  });
  expect(texts).toEqual([
    ...["/replace", "This is the final text", ", and this extends it."],
    ...["/terminal", "The command ended with exit code 0."],
  ]);
  expect(JSON.stringify(client.updates)).toContain("line 1\\nline 2\\nline 3");
  expect(
    client.updates.filter(({ messageId }) => messageId === undefined).map(({ sessionUpdate }) => sessionUpdate),
  ).toEqual(["tool_call_update", "available_commands_update", "state_update"]);
});

it("forks a session, and shows the system prompt of a new one", async () => {
  await using client = await connect();
  const { connection } = client.peer;
  const systemPrompt = { mode: "append", content: [{ type: "text", text: "Answer in rhymes." }] };
  const created = await connection.request("session/new", { cwd: "/work", systemPrompt });
  const { sessionId } = created as { sessionId: string };
  await client.prompt(sessionId, "/session");
  await client.until({ state: "idle" });
  expect(JSON.stringify(client.updates)).toContain("Answer in rhymes.");
  const fork = (await connection.request("session/fork", { sessionId, cwd: "/work" })) as { sessionId: string };
  expect(fork.sessionId).not.toBe(sessionId);
  client.updates.length = 0;
  const replay = { sessionId: fork.sessionId, cwd: "/work", replayFrom: { type: "start" } };
  await connection.request("session/resume", replay);
  expect(JSON.stringify(client.updates)).toContain('"text":"/session"');
  expect(JSON.stringify(client.updates)).toContain("Answer in rhymes.");
});
