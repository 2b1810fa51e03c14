import type { RequestId, Transport } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { lively, timed } from "../../../test/recordings.js";
import type { Side } from "../format.js";
import { readRecording } from "../read-recording.js";
import { formatDifferences } from "./difference.js";
import type { ReplayOptions } from "./replay-options.js";
import { createReplayer } from "./replayer.js";

type Line = readonly [from: Side, message: object];

const call = (id: RequestId, method: string, params: object = {}): object => ({ jsonrpc: "2.0", id, method, params });
const note = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params });
const answer = (id: RequestId, result: object): object => ({ jsonrpc: "2.0", id, result });
const say = (sessionId: string, text: string): object =>
  note("session/update", {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });
const prompt = (id: RequestId, sessionId: string, text: string): object =>
  call(id, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });

const opening: readonly Line[] = [
  ["client", call(0, "initialize", { protocolVersion: 1, clientInfo: { name: "old", version: "1" } })],
  ["agent", answer(0, { protocolVersion: 1 })],
  ["client", call(1, "session/new", { cwd: "/recorded", mcpServers: [] })],
  ["agent", answer(1, { sessionId: "s1" })],
  [
    "agent",
    note("session/update", {
      sessionId: "s1",
      update: { sessionUpdate: "available_commands_update", availableCommands: [] },
    }),
  ],
];

const asking: readonly Line[] = [
  ...opening,
  ["client", prompt(2, "s1", "go")],
  ["agent", say("s1", "I ask.")],
  [
    "agent",
    call("p", "session/request_permission", {
      sessionId: "s1",
      toolCall: { toolCallId: "t" },
      options: [
        { optionId: "no", name: "No", kind: "reject_once" },
        { optionId: "yes", name: "Yes", kind: "allow_once" },
      ],
    }),
  ],
  ["client", answer("p", { outcome: { outcome: "selected", optionId: "yes" } })],
  ["agent", call("r", "fs/read_text_file", { sessionId: "s1", path: "/recorded/a.txt" })],
  ["client", answer("r", { content: "text of /recorded" })],
  ["agent", say("s1", "I did.")],
  ["agent", answer(2, { stopReason: "end_turn" })],
];

/** Replays some lines, to a peer that the test controls. */
function replay(lines: readonly Line[], options: ReplayOptions = {}, more: readonly object[] = []) {
  const entries = lines.map(([from, message], index) => JSON.stringify({ t: index * 100, from, message }));
  const events = more.map((event) => JSON.stringify(event));
  const recording = readRecording([...entries, ...events].join("\n"));
  const { transport, connection } = createReplayer(recording, options).open();
  return { ...handPlayed(transport), connection };
}

function handPlayed(transport: Transport) {
  const heard: unknown[] = [];
  let ended = false;
  let wake = (): void => {};
  transport.start({
    message(value) {
      heard.push(value);
      wake();
    },
    malformed() {},
    ended() {
      ended = true;
      wake();
    },
    failed() {},
  });
  return {
    say: (message: object): number => transport.send(message as never),
    /** Returns the next messages, this many. */
    async hear(count: number): Promise<unknown[]> {
      while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return heard.splice(0, count);
    },
    /** The messages so far. */
    async rest(): Promise<unknown[]> {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return heard.splice(0);
    },
    isOver: async (): Promise<boolean> => {
      while (!ended) await new Promise<void>((resolve) => (wake = resolve));
      return ended;
    },
    close: () => transport.close(),
  };
}

describe("a recording replayed as an agent", () => {
  it("sends every message in order, with the request ids and the folder of the live client", async () => {
    const client = replay(asking);
    client.say(call("a", "initialize", { protocolVersion: 1 }));
    expect(await client.hear(1)).toEqual([answer("a", { protocolVersion: 1 })]);
    expect(await client.rest()).toEqual([]);
    client.say(call("b", "session/new", { cwd: "/live" }));
    expect(await client.hear(2)).toMatchObject([answer("b", { sessionId: "s1" }), { method: "session/update" }]);
    client.say(prompt("c", "s1", "go"));
    expect(await client.hear(2)).toMatchObject([
      say("s1", "I ask."),
      { id: "p", method: "session/request_permission" },
    ]);
    expect(await client.rest()).toEqual([]);
    client.say(answer("p", { outcome: { outcome: "selected", optionId: "yes" } }));
    expect(await client.hear(1)).toMatchObject([{ id: "r", params: { path: "/live/a.txt" } }]);
    client.say(answer("r", { content: "text of /live" }));
    expect(await client.hear(2)).toEqual([say("s1", "I did."), answer("c", { stopReason: "end_turn" })]);
    await client.close();
    const report = await client.connection.closed;
    expect(report).toEqual({ differences: [], sent: 8, recorded: 8, received: 5, expected: 5 });
  });

  it("continues after a message of the client that differs from the recording, and reports a diff", async () => {
    const client = replay(asking);
    client.say(call(0, "initialize", { protocolVersion: 1 }));
    client.say(call(1, "session/new", { cwd: "/live", mcpServers: [{ name: "x" }] }));
    client.say(call(9, "session/list"));
    client.say(prompt(2, "s1", "stop"));
    await client.hear(6);
    client.say(answer("p", { outcome: { outcome: "cancelled" } }));
    expect(await client.hear(1)).toMatchObject([{ id: "r" }]);
    await client.close();
    const { differences } = await client.connection.closed;
    expect(formatDifferences(differences)).toBe(
      [
        "~ client: session/new differs (entry 3 of the recording)",
        '  + params.mcpServers[0]: {"name":"x"}',
        "+ client: session/list, which is not in the recording",
        "~ client: session/prompt differs (entry 6 of the recording)",
        '  - params.prompt[0].text: "go"',
        '  + params.prompt[0].text: "stop"',
        "~ client: the response to session/request_permission differs (entry 9 of the recording)",
        '  - result.outcome.outcome: "selected"',
        '  + result.outcome.outcome: "cancelled"',
        '  - result.outcome.optionId: "yes"',
        "- client: the response to fs/read_text_file, which was not sent (entry 11 of the recording)",
        "",
      ].join("\n"),
    );
  });

  it("accepts any text in place of a secret inside a recorded text", async () => {
    const newSession = (key: string, text: string): readonly object[] => [
      call(0, "initialize", { protocolVersion: 1 }),
      call(1, "session/new", { cwd: "/live", mcpServers: [{ name: "x", command: "x", args: [`--api-key=${key}`] }] }),
      prompt(2, "s1", text),
    ];
    const recorded = newSession("[redacted]", "In /live, use [redacted] or [redacted], please");
    const lines: readonly Line[] = [
      ["client", recorded[0] as object],
      ["agent", answer(0, { protocolVersion: 1 })],
      ["client", recorded[1] as object],
      ["agent", answer(1, { sessionId: "s1" })],
      ["client", recorded[2] as object],
      ["agent", answer(2, { stopReason: "end_turn" })],
    ];
    const differencesOf = async (live: readonly object[]): Promise<number> => {
      const client = replay(lines);
      for (const message of live) client.say(message);
      await client.hear(3);
      await client.close();
      return (await client.connection.closed).differences.length;
    };
    expect(await differencesOf(newSession("k1", "In /live, use a or b or c, please"))).toBe(0);
    expect(await differencesOf(newSession("", "In /live, use  or , please"))).toBe(0);
    expect(await differencesOf(newSession("k1", "In /live, use a, please"))).toBe(1);
    expect(await differencesOf(newSession("k1", "Use a or b, please"))).toBe(1);
    expect(await differencesOf(newSession("k1", "In /live, use a or b"))).toBe(1);
  });

  it("responds to each of two open requests with the same id, in order", async () => {
    const lines: readonly Line[] = [
      ["client", call(5, "_a", { n: 1 })],
      ["client", call(5, "_a", { n: 2 })],
      ["agent", answer(5, { n: 1 })],
      ["agent", answer(5, { n: 2 })],
    ];
    const client = replay(lines);
    client.say(call(8, "_a", { n: 1 }));
    client.say(call(8, "_a", { n: 2 }));
    expect(await client.hear(2)).toEqual([answer(8, { n: 1 }), answer(8, { n: 2 })]);
    await client.close();
    expect((await client.connection.closed).differences).toEqual([]);
    const agent = replay(lines, { as: "client" });
    expect(await agent.hear(2)).toEqual([call(5, "_a", { n: 1 }), call(5, "_a", { n: 2 })]);
    agent.say(answer(5, { n: 1 }));
    agent.say(answer(5, { n: 2 }));
    expect(await agent.isOver()).toBe(true);
    expect((await agent.connection.closed).differences).toEqual([]);
  });

  it("ends at the first difference when it is strict", async () => {
    const client = replay(asking, { strict: true });
    client.say(call(0, "initialize", { protocolVersion: 2 }));
    expect(await client.hear(1)).toMatchObject([
      { id: 0, error: { code: -32603, message: expect.stringContaining("- params.protocolVersion: 1") } },
    ]);
    expect(await client.isOver()).toBe(true);
    expect((await client.connection.closed).differences.map(({ kind }) => kind)).toEqual([
      "changed",
      "missing",
      "missing",
      "missing",
    ]);
  });

  it("keeps two sessions separate, in any order in which the client uses them", async () => {
    const client = replay([
      ...opening,
      ["client", call(2, "session/new", { cwd: "/other" })],
      ["agent", answer(2, { sessionId: "s2" })],
      ["client", prompt(3, "s1", "one")],
      ["client", prompt(4, "s2", "two")],
      ["agent", say("s2", "two!")],
      ["agent", say("s1", "one!")],
      ["agent", answer(4, { stopReason: "end_turn" })],
      ["agent", answer(3, { stopReason: "end_turn" })],
    ]);
    client.say(call(0, "initialize", { protocolVersion: 1 }));
    client.say(call(1, "session/new", { cwd: "/other" }));
    expect(await client.hear(2)).toMatchObject([{ id: 0 }, answer(1, { sessionId: "s1" })]);
    client.say(prompt(2, "s1", "one"));
    expect(await client.hear(3)).toMatchObject([{ method: "session/update" }, say("s1", "one!"), { id: 2 }]);
    client.say(call(3, "session/new", { cwd: "/other" }));
    client.say(prompt(4, "s2", "two"));
    expect(await client.hear(3)).toMatchObject([answer(3, { sessionId: "s2" }), say("s2", "two!"), { id: 4 }]);
    await client.close();
    expect((await client.connection.closed).sent).toBe(8);
  });

  it("waits for the recorded cancel, and continues without it when the client sends its next prompt", async () => {
    const lines: readonly Line[] = [
      ...opening,
      ["client", prompt(2, "s1", "slow")],
      ["agent", say("s1", "1")],
      ["client", note("session/cancel", { sessionId: "s1" })],
      ["agent", answer(2, { stopReason: "cancelled" })],
      ["client", prompt(3, "s1", "again")],
      ["agent", answer(3, { stopReason: "end_turn" })],
    ];
    for (const cancels of [true, false]) {
      const client = replay(lines);
      client.say(call(0, "initialize", { protocolVersion: 1 }));
      client.say(call(1, "session/new", { cwd: "/recorded" }));
      client.say(prompt(2, "s1", "slow"));
      expect(await client.hear(4)).toHaveLength(4);
      expect(await client.rest()).toEqual([]);
      if (cancels) {
        client.say(note("session/cancel", { sessionId: "s1" }));
        expect(await client.hear(1)).toEqual([answer(2, { stopReason: "cancelled" })]);
      }
      client.say(prompt(3, "s1", "again"));
      await client.hear(cancels ? 1 : 2);
      await client.close();
      const { differences } = await client.connection.closed;
      expect(differences.map(({ kind, method }) => `${kind} ${method}`)).toEqual(
        cancels ? [] : ["missing session/cancel"],
      );
    }
  });

  it("ends where the recorded agent crashed, with its exit code", async () => {
    const lines: readonly Line[] = [...opening, ["client", prompt(2, "s1", "die")], ["agent", say("s1", "ah")]];
    const exit = { t: 9, dir: "meta", event: "exit", code: 3, signal: null };
    const entries = lines.map(([from, message]) => ({ t: 0, dir: from === "client" ? "c2a" : "a2c", msg: message }));
    const recording = readRecording([...entries, exit].map((line) => JSON.stringify(line)).join("\n"));
    const { transport, connection } = createReplayer(recording).open();
    const client = handPlayed(transport);
    client.say(call(0, "initialize", { protocolVersion: 1 }));
    client.say(call(1, "session/new", { cwd: "/recorded" }));
    client.say(prompt(2, "s1", "die"));
    expect((await client.hear(4)).at(-1)).toEqual(say("s1", "ah"));
    expect(await client.isOver()).toBe(true);
    expect((await connection.closed).died).toEqual({ exitCode: 3, signal: null });
  });

  it("waits for the recorded pauses on the injected clock", async () => {
    const waits: number[] = [];
    const client = replay(asking, { clock: { wait: async (ms) => void waits.push(ms) } });
    client.say(call(0, "initialize", { protocolVersion: 1 }));
    client.say(call(1, "session/new", { cwd: "/recorded" }));
    client.say(prompt(2, "s1", "go"));
    await client.hear(5);
    expect(waits).toEqual([100, 100, 100, 100, 100]);
    await client.close();
  });
});

describe("a recording replayed as a client", () => {
  it("sends the recorded requests, with the ids of the live agent, and closes at the end", async () => {
    const agent = replay(asking, { as: "client", paths: { "/recorded": "/live" } });
    expect(await agent.hear(1)).toMatchObject([{ id: 0, method: "initialize" }]);
    agent.say(answer(0, { protocolVersion: 1, agentInfo: { name: "x", version: "2" } }));
    expect(await agent.hear(1)).toMatchObject([{ id: 1, method: "session/new", params: { cwd: "/live" } }]);
    agent.say(answer(1, { sessionId: "other" }));
    expect(await agent.hear(1)).toEqual([prompt(2, "other", "go")]);
    agent.say(say("other", "I ask."));
    const options = [
      { optionId: "1", name: "Yes", kind: "allow_once" },
      { optionId: "2", name: "No", kind: "reject_once" },
    ];
    agent.say(call(7, "session/request_permission", { sessionId: "other", toolCall: { toolCallId: "u" }, options }));
    expect(await agent.hear(1)).toEqual([answer(7, { outcome: { outcome: "selected", optionId: "1" } })]);
    agent.say(call(8, "fs/read_text_file", { sessionId: "other", path: "/live/a.txt" }));
    expect(await agent.hear(1)).toEqual([answer(8, { content: "text of /live" })]);
    agent.say(say("other", "I did."));
    agent.say(answer(2, { stopReason: "end_turn" }));
    expect(await agent.isOver()).toBe(true);
    const { differences } = await agent.connection.closed;
    expect(formatDifferences(differences)).toBe(
      "- agent: session/update, which was not sent (entry 5 of the recording)\n",
    );
  });
});

describe("a recording of a cancelled turn replayed as a client", () => {
  it("cancels after as many updates as in the recording, even if the live agent does not send the recorded extension notifications", async () => {
    const lines: readonly Line[] = [
      ...opening,
      ["client", prompt(2, "s1", "slow")],
      ["agent", note("_vendor/status", { sessionId: "s1" })],
      ["agent", note("_vendor/status", { sessionId: "s1" })],
      ["agent", say("s1", "1")],
      ["client", note("session/cancel", { sessionId: "s1" })],
      ["agent", answer(2, { stopReason: "cancelled" })],
    ];
    for (const status of [0, 2]) {
      const agent = replay(lines, { as: "client" });
      await agent.hear(1);
      agent.say(answer(0, { protocolVersion: 1 }));
      await agent.hear(1);
      agent.say(answer(1, { sessionId: "s1" }));
      await agent.hear(1);
      for (let i = 0; i < status; i++) agent.say(note("_vendor/status", { sessionId: "s1" }));
      expect(await agent.rest()).toEqual([]);
      agent.say(say("s1", "1"));
      expect(await agent.hear(1)).toEqual([note("session/cancel", { sessionId: "s1" })]);
      agent.say(answer(2, { stopReason: "cancelled" }));
      expect(await agent.isOver()).toBe(true);
    }
  });
});

describe("a recording of version 2", () => {
  const update = (sessionUpdate: string, members: object): object =>
    note("session/update", { sessionId: "s1", update: { sessionUpdate, ...members } });
  const user = (messageId: string): object => update("user_message", { messageId, content: [] });
  const state = (name: string, stopReason?: string): object =>
    update("state_update", { state: name, ...(stopReason && { stopReason }) });
  const chunk = (text: string): object =>
    update("agent_message_chunk", { messageId: "a", content: { type: "text", text } });
  const begin: readonly Line[] = [
    ["client", call(0, "initialize", { protocolVersion: 2, info: { name: "old", version: "1" } })],
    ["agent", answer(0, { protocolVersion: 2, info: { name: "agent", version: "1" } })],
    ["client", call(1, "session/new", { cwd: "/recorded" })],
    ["agent", answer(1, { sessionId: "s1" })],
    ["client", prompt(2, "s1", "first")],
    ["agent", user("u1")],
    ["agent", answer(2, { messageId: "u1" })],
    ["agent", state("running")],
  ];
  const held: readonly Line[] = [
    ...begin,
    ["client", prompt(3, "s1", "second")],
    ["agent", chunk("one")],
    ["agent", state("idle", "end_turn")],
    ["agent", user("u2")],
    ["agent", answer(3, { messageId: "u2" })],
    ["agent", state("running")],
    ["agent", chunk("two")],
    ["agent", state("idle", "end_turn")],
  ];

  it("ends the work on a prompt for a client that sends the next prompt only then", async () => {
    const client = replay(held);
    client.say(call(0, "initialize", { protocolVersion: 2 }));
    await client.hear(1);
    client.say(call(1, "session/new", { cwd: "/live" }));
    await client.hear(1);
    client.say(prompt(2, "s1", "first"));
    expect(await client.hear(5)).toMatchObject([
      user("u1"),
      answer(2, {}),
      state("running"),
      chunk("one"),
      state("idle"),
    ]);
    expect(await client.rest()).toEqual([]);
    client.say(prompt(3, "s1", "second"));
    expect(await client.hear(5)).toMatchObject([
      user("u2"),
      answer(3, {}),
      state("running"),
      chunk("two"),
      state("idle"),
    ]);
    await client.close();
  });

  it("sends the next prompt of the client only after the work of the live agent", async () => {
    const lines = [...begin, ["agent", state("idle", "end_turn")], ["client", prompt(3, "s1", "second")]] as Line[];
    const agent = replay([...lines, ["agent", answer(3, { messageId: "u2" })], ["agent", state("idle")]], {
      as: "client",
    });
    await agent.hear(1);
    agent.say(answer(0, { protocolVersion: 2 }));
    await agent.hear(1);
    agent.say(answer(1, { sessionId: "s1" }));
    await agent.hear(1);
    for (const message of [user("x1"), answer(2, { messageId: "x1" }), state("running"), chunk("one")])
      agent.say(message);
    expect(await agent.rest()).toEqual([]);
    agent.say(state("idle", "end_turn"));
    expect(await agent.hear(1)).toEqual([prompt(3, "s1", "second")]);
    agent.say(answer(3, { messageId: "x2" }));
    agent.say(chunk("two"));
    agent.say(state("idle", "end_turn"));
    expect(await agent.isOver()).toBe(true);
  });

  it("cancels after as many updates of the work as in the recording", async () => {
    const cancel = note("session/cancel", { sessionId: "s1" });
    const lines = [
      ...begin,
      ["agent", chunk("1")],
      ["client", cancel],
      ["agent", state("idle", "cancelled")],
    ] as Line[];
    const agent = replay(lines, { as: "client" });
    await agent.hear(1);
    agent.say(answer(0, { protocolVersion: 2 }));
    await agent.hear(1);
    agent.say(answer(1, { sessionId: "s1" }));
    await agent.hear(1);
    for (const message of [user("x1"), answer(2, { messageId: "x1" }), state("running")]) agent.say(message);
    expect(await agent.rest()).toEqual([]);
    agent.say(chunk("1"));
    expect(await agent.hear(1)).toEqual([cancel]);
    agent.say(state("idle", "cancelled"));
    expect(await agent.isOver()).toBe(true);
  });

  it("sends the replay of a resumed session after the request to resume it", async () => {
    const resume = call(3, "session/resume", { sessionId: "s1", cwd: "/recorded", replayFrom: { type: "start" } });
    const lines = [...begin, ["agent", state("idle", "end_turn")], ["client", resume], ["agent", user("u1")]] as Line[];
    const client = replay([...lines, ["agent", state("idle")], ["agent", answer(3, {})]]);
    client.say(call(0, "initialize", { protocolVersion: 2 }));
    client.say(call(1, "session/new", { cwd: "/live" }));
    client.say(prompt(2, "s1", "first"));
    await client.hear(6);
    expect(await client.rest()).toEqual([]);
    client.say(resume);
    expect(await client.hear(3)).toMatchObject([user("u1"), state("idle"), answer(3, {})]);
    await client.close();
  });
});

describe("a recording replayed on both sides", () => {
  it("sends every recorded message again, from both sides", async () => {
    const { transport, connection } = createReplayer(lively(), { strict: true }).open();
    const client = createReplayer(lively(), { as: "client", strict: true }).connect(transport);
    const [asClient, asAgent] = await Promise.all([client.closed, connection.closed]);
    expect(formatDifferences([...asClient.differences, ...asAgent.differences])).toBe("");
    expect([asClient.sent, asClient.received]).toEqual([asClient.recorded, asClient.expected]);
    expect([asAgent.sent, asAgent.received]).toEqual([asAgent.recorded, asAgent.expected]);
  });

  it("sends an error in place of a response that the recording left out, and continues", async () => {
    const { tape, recording } = timed({ maxMessageBytes: 120 });
    tape.message("client", call(0, "a"));
    tape.message("agent", answer(0, { text: "x".repeat(200) }));
    tape.message("agent", note("b", { text: "x".repeat(200) }));
    tape.message("client", call(1, "c"));
    tape.message("agent", answer(1, {}));
    const { transport, connection } = createReplayer(recording()).open();
    const client = handPlayed(transport);
    client.say(call(5, "a"));
    client.say(call(6, "c"));
    expect(await client.hear(2)).toMatchObject([{ id: 5, error: { code: -32603 } }, answer(6, {})]);
    await client.close();
    expect((await connection.closed).differences).toEqual([]);
  });
});

it("a replayed text has the live folder only in place of the whole recorded folder", async () => {
  const text =
    "See /recorded/a.ts, /recorded. file:///recorded/b, src/recorded/c, ./recorded, /recorded.old and /recorded2";
  const lines: readonly Line[] = [...opening, ["client", prompt(2, "s1", "go")], ["agent", say("s1", text)]];
  const client = replay(lines);
  client.say(call(0, "initialize", { protocolVersion: 1 }));
  client.say(call(1, "session/new", { cwd: "/live", mcpServers: [] }));
  client.say(prompt(2, "s1", "go"));
  const received = await client.hear(4);
  expect(received[3]).toEqual(
    say("s1", "See /live/a.ts, /live. file:///live/b, src/recorded/c, ./recorded, /recorded.old and /recorded2"),
  );
  await client.connection.close();
});

it("a difference contains no control characters of a message", () => {
  const hostile = "a\u001b]0;x\u0007b\u009b\u202e\n";
  const text = formatDifferences([
    { kind: "unexpected", from: "client", method: hostile, part: "request", changes: [] },
    {
      kind: "changed",
      from: "client",
      method: hostile,
      part: "request",
      changes: [{ path: `params.${hostile}`, recorded: hostile, live: hostile.repeat(1_000) }],
    },
  ]);
  expect(text.split("\n")).toHaveLength(5);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});
