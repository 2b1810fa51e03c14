import type { IncomingLoadSessionRequest, SessionNotification } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import { type ClientPeer, connect, type Setup } from "../../test/connect.js";
import { acceptForks } from "./accept-forks.js";
import { acceptSystemPrompt } from "./accept-system-prompt.js";

const setup = { cwd: "/work", mcpServers: [] };
const fork = (peer: ClientPeer, params: object): Promise<{ sessionId: string }> =>
  peer.request("session/fork" as never, params as never);

describe("session/fork", () => {
  const forks = (seen: IncomingLoadSessionRequest[] = []): Setup => ({
    definition: {
      unstable: [
        acceptForks((params, { session }) => {
          seen.push(params);
          void session("s2").message("history");
          return { sessionId: "s2" };
        }),
      ],
      prompt: async (turn) => void turn.message(`in ${turn.sessionId}`),
    },
  });

  test("is advertised, and the fork is active after its response", async () => {
    const seen: IncomingLoadSessionRequest[] = [];
    const { peer, initialized, sent, updates } = await connect(forks(seen));
    expect(initialized.agentCapabilities?.sessionCapabilities).toEqual({ fork: {} });
    expect(await fork(peer, { sessionId: "s1", cwd: "/work" })).toEqual({ sessionId: "s2" });
    expect(seen).toEqual([{ sessionId: "s1", cwd: "/work", mcpServers: [] }]);
    await peer.request("session/prompt", { sessionId: "s2", prompt: [{ type: "text", text: "Hi" }] });
    expect(updates.map(({ update }) => update)).toMatchObject([
      { content: { text: "history" } },
      { content: { text: "in s2" } },
    ]);
    expect(sent[0]).toMatch(/^response/);
  });

  test.each([
    { cwd: "/work" },
    { sessionId: "s1", cwd: "relative" },
    { sessionId: "s1", cwd: "/work", mcpServers: 7 },
    { sessionId: "s1", cwd: "/work", additionalDirectories: ["/other"] },
  ])("gets -32602 for invalid params: %j", async (params) => {
    const { peer } = await connect(forks());
    await expect(fork(peer, params)).rejects.toMatchObject({ code: -32602 });
  });

  test("is an unknown method without the feature", async () => {
    const { peer } = await connect();
    await expect(fork(peer, { sessionId: "s1", ...setup })).rejects.toMatchObject({ code: -32601 });
  });
});

describe("a system prompt", () => {
  const answers = (override = false): Setup => ({
    definition: {
      unstable: [acceptSystemPrompt({ override }), acceptForks(() => ({ sessionId: "s2" }))],
      resumeSession: () => ({}),
      prompt: async (turn) => void turn.message(JSON.stringify(turn.systemPrompt ?? null)),
    },
  });
  const text = (value: string) => ({ type: "text", text: value });
  const open = async (peer: ClientPeer, method: string, params: object): Promise<void> =>
    void (await peer.request(method as never, { ...setup, ...params } as never));
  const told = async (peer: ClientPeer, sessionId: string, updates: readonly SessionNotification[]) => {
    await peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "?" }] });
    const last = updates.at(-1)?.update;
    return last?.sessionUpdate === "agent_message_chunk" && last.content.type === "text"
      ? JSON.parse(last.content.text)
      : undefined;
  };

  test("is in the session, whichever way the session was opened", async () => {
    const { peer, initialized, updates } = await connect(answers());
    expect(initialized.agentCapabilities?.sessionCapabilities).toMatchObject({ systemPrompt: {}, fork: {} });
    const content = [text("Be brief."), text("Use French.")];
    await open(peer, "session/new", { systemPrompt: { mode: "append", content } });
    const expected = { mode: "append", text: "Be brief.\n\nUse French." };
    expect(await told(peer, "s1", updates)).toEqual(expected);
    await open(peer, "session/fork", { sessionId: "s1", systemPrompt: { mode: "append", content } });
    expect(await told(peer, "s2", updates)).toEqual(expected);
    await open(peer, "session/resume", { sessionId: "s1" });
    expect(await told(peer, "s1", updates)).toBeNull();
  });

  test("replaces the agent's instructions only if the agent allows it", async () => {
    const override = { mode: "override", content: [text("x")] };
    const { peer, updates, initialized } = await connect(answers(true));
    expect(initialized.agentCapabilities?.sessionCapabilities).toMatchObject({
      systemPrompt: { mode: { override: {} } },
    });
    await open(peer, "session/new", { systemPrompt: override });
    expect(await told(peer, "s1", updates)).toEqual({ mode: "override", text: "x" });
    const strict = await connect(answers());
    await expect(open(strict.peer, "session/new", { systemPrompt: override })).rejects.toMatchObject({ code: -32602 });
  });

  test.each([
    "text",
    { mode: "prepend", content: [text("x")] },
    { mode: "append", content: [] },
    { mode: "append" },
    { mode: "append", content: [{ type: "image", data: "", mimeType: "image/png" }] },
  ])("gets -32602 if the agent can't follow it, and no session is created: %j", async (given) => {
    let created = 0;
    const { peer } = await connect({
      definition: { unstable: [acceptSystemPrompt()], newSession: () => ({ sessionId: `s${created++}` }) },
    });
    await expect(open(peer, "session/new", { systemPrompt: given })).rejects.toMatchObject({ code: -32602 });
    expect(created).toBe(0);
  });

  test("is ignored by an agent without the feature", async () => {
    const { definition } = answers();
    const { peer, updates } = await connect({ definition: { prompt: definition?.prompt as never } });
    await open(peer, "session/new", { systemPrompt: { mode: "append", content: [text("x")] } });
    expect(await told(peer, "s1", updates)).toBeNull();
  });
});
