import type { Transport } from "@acp-kit/jsonrpc";
import { describe, expect, it } from "vitest";
import { createClock } from "../clock.js";
import { openMemoryPair } from "../memory-pair.js";
import { agentScript } from "../script/agent-script.js";
import { clientScript } from "../script/client-script.js";
import type { WireMessage } from "../wire-message.js";
import type { FaultOptions } from "./fault-options.js";
import type { FaultPlan } from "./fault-plan.js";
import { faulty } from "./faulty.js";

/**
 * A scripted client and a scripted agent, with faults on the client's side of the wire. The agent sends one, two, three
 * in a turn.
 */
async function conversation(plan: FaultPlan, options: FaultOptions = {}) {
  const agent = agentScript()
    .onPrompt((turn) => ["one", "two", "three"].forEach((word) => void turn.message(word)))
    .inMemory();
  const transport = faulty(agent.transport, plan, options);
  const client = clientScript().connect(transport);
  return { agent, transport, client, open: () => openSession(client) };
}

async function openSession(client: ReturnType<ReturnType<typeof clientScript>["connect"]>): Promise<void> {
  await client.initialize();
  await client.newSession();
}

/** The updates a client has received since its session was opened, one word each. */
function heard(messages: readonly WireMessage[]): unknown[] {
  return messages.slice(2).map(({ method, params, result, error }) => {
    if (method === "session/update") return (params as { update: { content: { text: string } } }).update.content.text;
    return method ?? (result as { stopReason?: string } | undefined)?.stopReason ?? error;
  });
}

const updates = { from: "agent", method: "session/update" } as const;

it.each([
  [[{ fault: "nope" }], "The fault 1 of the plan must have one of the names drop, "],
  [[{ fault: "drop" }, { fault: "split", bytes: Number.NaN }], "The fault 2 of the plan, split, must have bytes"],
  [[{ fault: "delay" }], "The fault 1 of the plan, delay, must have ms"],
  [[{ fault: "slow", ms: [1, -1] }], "must have ms"],
  [[{ fault: "drop", from: "server" }], "The fault 1 of the plan, drop, must have from: agent or client"],
  [[{ fault: "drop", methd: "initialize" }], 'The fault 1 of the plan, drop, has the unknown member "methd"'],
  [[{ fault: "drop", update: 1 }], "must have update: a text, or a list of texts"],
  [[{ fault: "drop", at: "3" }], "must have at: an integer of 1 or more"],
  [[{ fault: "drop", at: [1, 0] }], "must have at"],
  [[{ fault: "drop", chance: 50 }], "must have chance: a number from 0 to 1"],
  [[{ fault: "duplicate", copies: -2 }], "must have copies"],
  [[{ fault: "cut", atByte: "5" }], "must have atByte: a number of 0 or more"],
  [[{ fault: "die", how: "loudly" }], "must have how: ends or breaks"],
  [[null], "The fault 1 of the plan must have one of the names"],
  [{}, "A plan is a list of faults"],
])("the invalid plan %j is refused before any message", (plan, message) => {
  const [transport] = openMemoryPair();
  const create = () => faulty(transport, plan as unknown as FaultPlan);
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

describe("a faulty transport", () => {
  it.each<[string, FaultPlan, unknown[]]>([
    ["changes nothing without a plan", [], ["one", "two", "three", "end_turn"]],
    ["drops a message", [{ fault: "drop", ...updates, at: 2 }], ["one", "three", "end_turn"]],
    ["drops a kind of update", [{ fault: "drop", update: ["agent_message_chunk"], times: 2 }], ["three", "end_turn"]],
    ["drops no other kind of update", [{ fault: "drop", update: "plan" }], ["one", "two", "three", "end_turn"]],
    [
      "duplicates",
      [{ fault: "duplicate", ...updates, at: [1, 3] }],
      ["one", "one", "two", "three", "three", "end_turn"],
    ],
    ["reorders messages", [{ fault: "reorder", ...updates, at: 1, by: 2 }], ["two", "three", "one", "end_turn"]],
    ["delivers updates after the response", [{ fault: "late", times: 2 }], ["three", "end_turn", "one", "two"]],
    [
      "injects a huge message",
      [{ fault: "huge", ...updates, at: 1, bytes: 100_000 }],
      ["_acp-kit/huge", "one", "two", "three", "end_turn"],
    ],
    [
      "skips `split` without effect, because its transport has no bytes",
      [{ fault: "split", ...updates }],
      ["one", "two", "three", "end_turn"],
    ],
    [
      "merges messages without changing their order",
      [{ fault: "merge", ...updates, messages: 4 }],
      ["one", "two", "three", "end_turn"],
    ],
  ])("%s", async (_name, plan, expected) => {
    const { client, open } = await conversation(plan);
    await open();
    await client.prompt("go");
    await client.fence();
    expect(heard(client.receivedSoFar()).slice(0, expected.length)).toEqual(expected);
  });

  it("delivers an update before the response that creates its session", async () => {
    const { client, open, transport } = await conversation([{ fault: "early" }]);
    await open();
    expect(client.receivedSoFar().slice(1)).toMatchObject([
      { method: "session/update", params: { sessionId: "session-1" } },
      { result: { sessionId: "session-1" } },
    ]);
    expect(transport.injected).toMatchObject([{ fault: "early", from: "agent", message: 2, method: "session/new" }]);
  });

  it("drops the response of a request", async () => {
    const { agent, client, open, transport } = await conversation([{ fault: "unanswered", method: "session/prompt" }]);
    await open();
    const response = client.prompt("go");
    await client.fence();
    expect(agent.seen.filter(({ message }) => JSON.stringify(message).includes("end_turn"))).toHaveLength(1);
    expect(heard(client.receivedSoFar()).slice(0, 3)).toEqual(["one", "two", "three"]);
    await client.close();
    await expect(response).rejects.toThrow("which did not come");
    expect(transport.describe()).toBe(
      '1 fault was injected (seed 1, plan [{"fault":"unanswered","method":"session/prompt"}]):\n' +
        "unanswered: message 6 of the agent (response session/prompt): it is lost",
    );
  });

  it("stops sending and continues to read", async () => {
    const { agent, client, open } = await conversation([{ fault: "silence", ...updates, at: 2 }]);
    await open();
    void client.prompt("go");
    client.notify("_still-read");
    await agent.received("_still-read");
    expect(heard(client.receivedSoFar())).toEqual(["one"]);
  });

  it.each([
    ["delays a message and all messages after it", { fault: "delay", ms: 100, ...updates, at: 2 }, ["one"]],
    [
      "delays the messages after a message that is read slowly",
      { fault: "slow", ms: 100, ...updates, at: 2 },
      ["one", "two"],
    ],
  ] as const)("%s", async (_name, fault, before) => {
    const clock = createClock();
    const { client, open } = await conversation([fault], { clock });
    await open();
    const response = client.prompt("go");
    await clock.advance(99);
    expect(heard(client.receivedSoFar())).toEqual(before);
    await clock.advance(1);
    await response;
    expect(heard(client.receivedSoFar())).toEqual(["one", "two", "three", "end_turn"]);
    expect(clock.pending).toBe(0);
  });

  it("applies back-pressure to the sender while the other side's reader pauses", async () => {
    const clock = createClock();
    const [ours, theirs] = openMemoryPair();
    const transport = faulty(ours, [{ fault: "slow", from: "client", ms: 100, at: 1 }], { clock });
    const got: unknown[] = [];
    theirs.start({ message: (value) => got.push(value), malformed() {}, ended() {}, failed() {} });
    transport.start({ message() {}, malformed() {}, ended() {}, failed() {} });
    expect(transport.full).toBeUndefined();
    transport.send({ jsonrpc: "2.0", method: "_1" });
    transport.send({ jsonrpc: "2.0", method: "_2" });
    const { full } = transport;
    expect(full).toBeInstanceOf(Promise);
    await clock.advance(50);
    expect(got).toHaveLength(1);
    await clock.advance(50);
    await full;
    expect(got).toHaveLength(2);
    expect(transport.full).toBeUndefined();
  });

  it("changes the type of a value, and reports its path", async () => {
    const { client, open, transport } = await conversation([{ fault: "mistype", ...updates, at: 2 }], { seed: 3 });
    await open();
    await client.prompt("go");
    const [, second] = client.receivedSoFar("session/update");
    expect(second).not.toMatchObject({ params: { sessionId: "session-1", update: { content: { text: "two" } } } });
    expect(transport.injected[0]?.detail).toMatch(/^params\S* is /);
  });

  it("prints a banner, and garbage in both directions", async () => {
    const { agent, client, open } = await conversation([
      { fault: "banner", from: "agent", at: 1, text: "Hello!\nI am an agent." },
      { fault: "garbage", method: "session/new" },
    ]);
    await open();
    const noise = (seen: typeof client.seen) => seen.flatMap(({ text }) => (text === undefined ? [] : [text]));
    expect(noise(client.seen)).toEqual(["Hello!", "I am an agent.", expect.any(String)]);
    expect(noise(agent.seen)).toHaveLength(1);
  });

  it.each(["client", "agent"] as const)("closes the half of the %s, which keeps reading", async (from) => {
    const { agent, client, open, transport } = await conversation([{ fault: "half-close", from, at: 3 }]);
    await open();
    void client.prompt("go");
    const [silent, talking] = from === "client" ? [client, agent] : [agent, client];
    expect((await talking.closed).how).toBe("ended");
    talking.notify("_still-said");
    await silent.received("_still-said");
    expect(transport.injected).toHaveLength(1);
  });

  it("is cut in the middle of a message: the peer receives an incomplete line, then the end", async () => {
    const { agent, client, open } = await conversation([{ fault: "cut", ...updates, at: 2, byte: 17 }]);
    await open();
    const response = client.prompt("go");
    expect(await client.closed).toEqual({ how: "ended" });
    expect(client.seen.at(-1)).toMatchObject({ from: "agent", text: '{"jsonrpc":"2.0",' });
    expect(heard(client.receivedSoFar())).toEqual(["one"]);
    expect((await agent.closed).how).toBe("ended");
    await expect(response).rejects.toThrow("ended");
  });

  it("is cut at any byte of the output of either side", async () => {
    const whole = await conversation([]);
    await whole.open();
    await whole.client.prompt("go");
    const lines = whole.client.receivedSoFar().map((message) => JSON.stringify(message).length + 1);
    let total = 0;
    for (const length of lines) total += length;
    for (let atByte = 0; atByte < total; atByte += 1) {
      const { client, open } = await conversation([{ fault: "cut", from: "agent", atByte }]);
      void open()
        .then(
          () => client.prompt("go"),
          () => {},
        )
        .catch(() => {});
      expect((await client.closed).how).toBe("ended");
      let end = 0;
      const complete = lines.filter((length) => {
        end += length;
        return end - 1 <= atByte; // text after the last newline is a message, too
      }).length;
      expect(client.receivedSoFar(), `cut at byte ${atByte}`).toHaveLength(complete);
    }
  });

  it.each([
    ["ends", { how: "ended" }],
    [
      "breaks",
      {
        how: "failed",
        error: expect.objectContaining({ message: expect.stringContaining("(seed 5): die: message 4 of the agent") }),
      },
    ],
  ] as const)("%s at the message that its plan names", async (how, end) => {
    const { agent, client, open } = await conversation([{ fault: "die", from: "agent", at: 4, how }], { seed: 5 });
    await open();
    void client.prompt("go");
    expect(await client.closed).toEqual(end);
    await agent.closed;
    expect(heard(client.receivedSoFar())).toEqual(["one"]);
  });

  it("skips faults that its transport can't apply", async () => {
    const sent: unknown[] = [];
    const values: Transport = {
      start() {},
      send: (message) => sent.push(message),
      full: undefined,
      pause() {},
      resume() {},
      close: async () => {},
    };
    const transport = faulty(values, [{ fault: "garbage" }, { fault: "half-close" }]);
    const message = { jsonrpc: "2.0", method: "_é😀" } as const;
    expect(transport.send(message)).toBe(Buffer.byteLength(JSON.stringify(message)));
    expect(transport.injected).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  it("flushes queued messages before it closes, with or without delays, and leaves no timer", async () => {
    const clock = createClock();
    const { agent, client, open, transport } = await conversation(
      [{ fault: "delay", from: "client", ms: 1_000, method: "_x" }],
      { clock },
    );
    await open();
    client.notify("_x");
    client.notify("_y");
    await client.close();
    await agent.received("_y");
    expect(transport.injected).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it("injects the same faults with the same seed, and others with another seed", async () => {
    const plan: FaultPlan = [
      { fault: "drop", ...updates, chance: 0.5 },
      { fault: "mistype", ...updates, chance: 0.5 },
    ];
    const run = async (seed: number): Promise<string> => {
      const { client, open, transport } = await conversation(plan, { seed });
      await open();
      for (const prompt of ["1", "2", "3"]) await client.prompt(prompt);
      return `${transport.describe()}\n${JSON.stringify(client.receivedSoFar())}`;
    };
    expect(await run(1)).toBe(await run(1));
    expect(await run(1)).not.toBe(await run(2));
  });
});
