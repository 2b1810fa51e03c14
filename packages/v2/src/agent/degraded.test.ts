import type { Turn } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/protocol/internal";
import { describe, expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { rawPeer, updatesOf } from "../../test/peers.js";
import { type AgentSetup, type ConnectedAgent, v2AgentSession } from "../../test/v2-agent.js";
import { fileChange } from "./file-change.js";
import { tester } from "./tester.examples.js";

/** Runs one turn, and returns the agent when the turn has ended. */
async function played(play: (turn: Turn) => Promise<void>, setup: AgentSetup = {}): Promise<ConnectedAgent> {
  const ended = deferred<void>();
  const agent = await v2AgentSession({
    ...setup,
    definition: { prompt: (turn) => play(turn).finally(() => setImmediate(ended.resolve)) },
  });
  agent.prompt("hi");
  await ended.promise;
  return agent;
}

const bytes = new TextEncoder().encode("ok ✓\n");

async function runCommand(turn: Turn): Promise<void> {
  const call = turn.toolCall({ toolCallId: "c", title: "npm test", kind: "execute", status: "in_progress" });
  const terminal = call.ownTerminal({
    terminalId: "t",
    command: "npm test",
    cwd: "/work",
    size: { cols: 80, rows: 24 },
  });
  await terminal.write("run\u001b[1m\n");
  await terminal.write(bytes.slice(0, 4));
  await terminal.write(bytes.slice(4));
  await terminal.exit({ exitCode: 1 });
  await terminal.write("too late");
  await call.complete();
}

describe("V2-REQ-20: a terminal of the agent", () => {
  test("version 2: updates of the terminal, each chunk base64 of its own, and a reference in the call", async () => {
    const agent = await played(runCommand);
    const updates = updatesOf(agent.client).filter(({ sessionUpdate }) =>
      /terminal|content/.test(String(sessionUpdate)),
    );
    expect(updates).toEqual([
      {
        sessionUpdate: "terminal_update",
        terminalId: "t",
        command: "npm test",
        cwd: "/work",
        size: { cols: 80, rows: 24 },
      },
      { sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content: { type: "terminal", terminalId: "t" } },
      ...["run\u001b[1m\n", bytes.slice(0, 4), bytes.slice(4)].map((output) => ({
        sessionUpdate: "terminal_output_chunk",
        terminalId: "t",
        data: Buffer.from(output).toString("base64"),
      })),
      { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } },
    ]);
  });

  test("version 1: in the _meta of the call, if the client advertises that", async () => {
    const agent = await played(runCommand, {
      version: 1,
      initialize: { clientCapabilities: { _meta: { terminal_output: true } } },
    });
    const updates = updatesOf(agent.client).map(({ content, _meta }) => ({ content, _meta }));
    const output = (data: string) => ({ content: undefined, _meta: { terminal_output: { terminal_id: "t", data } } });
    expect(updates.slice(1, -1)).toEqual([
      {
        content: [{ type: "terminal", terminalId: "t" }],
        _meta: { terminal_info: { terminal_id: "t", cwd: "/work" } },
      },
      ...[output("run\u001b[1m\n"), output("ok "), output("✓\n")],
      { content: undefined, _meta: { terminal_exit: { terminal_id: "t", exit_code: 1, signal: null } } },
    ]);
  });

  test("version 1: else as text, without escape sequences", async () => {
    const agent = await played(runCommand, { version: 1 });
    const texts = updatesOf(agent.client)
      .flatMap(({ content }) => (content as { content: { text: string } }[] | undefined) ?? [])
      .map(({ content }) => content.text);
    expect(texts).toEqual(["$ npm test", "$ npm test\nrun\nok ✓\n[exit code 1]"]);
  });

  test("version 2: output of the connection's _meta form becomes updates of the terminal", async () => {
    const agent = await played(async (turn) => {
      const call = turn.toolCall({ toolCallId: "c", title: "ls", _meta: { terminal_info: { terminal_id: "t" } } });
      await call.complete({ _meta: { terminal_exit: { terminal_id: "t", exit_code: 0 } } });
    });
    expect(updatesOf(agent.client)).toContainEqual({ sessionUpdate: "terminal_update", terminalId: "t" });
    expect(updatesOf(agent.client)).toContainEqual({
      sessionUpdate: "terminal_update",
      terminalId: "t",
      exitStatus: { exitCode: 0 },
    });
  });

  test("needs the option versions", async () => {
    const agent = await played(
      async (turn) => {
        const call = turn.toolCall({ title: "ls" });
        expect(() => call.ownTerminal({})).toThrow(expect.objectContaining({ name: "CapabilityError" }));
        await call.complete();
      },
      { version: 1, options: { versions: [] } },
    );
    expect(agent.log().at(-1)).toContain("end_turn");
  });
});

describe("messages and content", () => {
  const replaceMessage = async (turn: Turn): Promise<void> => {
    const stream = turn.messageStream({ messageId: "m" });
    await stream.write("draft");
    await stream.replace("final");
    await stream.write(" text");
  };

  test("V2-REQ-19: a message is replaced as a whole, and later chunks append to it", async () => {
    const agent = await played(replaceMessage);
    expect(updatesOf(agent.client).slice(2, 5)).toEqual([
      { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "draft" } },
      { sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text: "final" }] },
      { sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: " text" } },
    ]);
  });

  test("on version 1, replacing a message throws CapabilityError, and nothing is sent for it", async () => {
    const agent = await v2AgentSession({
      version: 1,
      definition: {
        prompt: async (turn) => {
          const error = await replaceMessage(turn).catch((reason: unknown) => reason);
          await turn.message((error as Error).name, { messageId: "m2" });
        },
      },
    });
    agent.prompt("hi");
    await tick();
    expect(agent.log().slice(0, 2)).toEqual(["agent_message_chunk draft", "agent_message_chunk CapabilityError"]);
  });

  const appendContent = async (turn: Turn): Promise<void> => {
    const call = turn.toolCall({ toolCallId: "c", title: "Read" });
    await call.add("one");
    await call.add("two");
    await call.complete("three");
  };
  const textOf = (text: string) => ({ type: "content", content: { type: "text", text } });

  test("version 2: add and complete send what is new", async () => {
    const agent = await played(appendContent);
    const contents = updatesOf(agent.client).flatMap(({ content, toolCallId }) =>
      toolCallId && content ? [content] : [],
    );
    expect(contents).toEqual([textOf("one"), textOf("two"), textOf("three")]);
  });

  test("version 1: add sends the whole content", async () => {
    const agent = await played(appendContent, { version: 1 });
    const contents = updatesOf(agent.client).flatMap(({ content }) => (content ? [content] : []));
    expect(contents).toEqual([
      [textOf("one")],
      [textOf("one"), textOf("two")],
      [textOf("one"), textOf("two"), textOf("three")],
    ]);
  });

  test("version 1: a cancelled call is failed, and what only version 2 has is converted or reported", async () => {
    const agent = await played(
      async (turn) => {
        await turn.toolCall({ toolCallId: "c", title: "Read" }).cancel();
        await turn.update({
          sessionUpdate: "agent_message",
          messageId: "m",
          content: [{ type: "text", text: "whole" }],
        });
        const plan = { type: "items" as const, entries: [] };
        await turn.update({ sessionUpdate: "plan_update", plan: { ...plan, planId: "main" } });
        await turn.update({ sessionUpdate: "plan_update", plan: { ...plan, planId: "second" } });
        await turn.update({ sessionUpdate: "plan_update", plan: { type: "_map", planId: "main" } });
        await turn.update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "AA==" });
      },
      { version: 1 },
    );
    expect(agent.log().slice(0, -1)).toEqual([
      "tool_call c",
      "tool_call_update c failed",
      "agent_message_chunk whole",
      "plan",
      "plan",
    ]);
    expect(agent.diagnostics.map(({ data }) => (data as { kind: string }).kind)).toEqual(["plan", "terminal"]);
  });
});

const planTwice = async (turn: Turn): Promise<void> => {
  const tests = turn.startPlan(["Run the tests"], { planId: "tests" });
  await turn.plan([{ content: "Write", priority: "low", status: "pending" }]);
  await tests.complete(0);
};
const entriesOf = ({ entries, plan }: Record<string, unknown>): unknown =>
  ((entries ?? (plan as { entries: unknown }).entries) as { content: string; status: string }[]).map(
    ({ content, status }) => `${content}: ${status}`,
  );

describe("several plans", () => {
  test("version 2: each has its id", async () => {
    const agent = await played(planTwice);
    const plans = updatesOf(agent.client).filter(({ sessionUpdate }) => sessionUpdate === "plan_update");
    expect(plans.map((update) => [(update.plan as { planId: string }).planId, entriesOf(update)])).toEqual([
      ["tests", ["Run the tests: pending"]],
      ["main", ["Write: pending"]],
      ["tests", ["Run the tests: completed"]],
    ]);
  });

  test("version 1: the plan that was sent last, reported once", async () => {
    const agent = await played(planTwice, { version: 1 });
    expect(updatesOf(agent.client).map(entriesOf)).toEqual([
      ["Run the tests: pending"],
      ["Write: pending"],
      ["Run the tests: completed"],
    ]);
    expect(agent.diagnostics).toMatchObject([{ code: "version_loss", data: { kind: "plan" } }]);
  });

  test("without the option versions, a plan with an id throws CapabilityError, and nothing is sent", async () => {
    const options = { versions: [] } as const;
    let thrown: unknown;
    const agent = await played(
      async (turn) => {
        thrown = await planTwice(turn).catch((error: unknown) => error);
      },
      { version: 1, options },
    );
    expect(thrown).toMatchObject({ name: "CapabilityError" });
    expect(updatesOf(agent.client)).toEqual([]);
  });
});

describe("changes of files", () => {
  const patch = "diff --git /a /b\n--- /a\n+++ /b\n@@ -1 +1 @@\n-one\n+two\n@@ -9 +9 @@\n-nine\n+ten\n";
  const edited = [{ operation: "modify", path: "/b" }] as const;
  const moved = { operation: "move", oldPath: "/a", path: "/b" } as const;
  const changeFiles = async (turn: Turn): Promise<void> => {
    const content = fileChange(edited, patch);
    const call = turn.toolCall({ toolCallId: "c", title: "Change", content });
    await call.add(...fileChange(moved), "done");
    await call.requestPermission();
  };

  test("version 2: are one diff each, in the call and in a permission request", async () => {
    const agent = await v2AgentSession({ definition: { prompt: changeFiles } });
    agent.prompt("hi");
    await tick();
    const diffs = [
      { type: "diff", changes: edited, patch: { format: "git_patch", text: patch } },
      { type: "diff", changes: [moved] },
    ];
    const contents = updatesOf(agent.client).flatMap(({ content }) => (content ? [content].flat() : []));
    const done = { type: "content", content: { type: "text", text: "done" } };
    expect(contents.slice(1)).toEqual([...diffs, done]);
    const { subject } = agent.client.lastReceived("session/request_permission").params as { subject: object };
    expect(subject).toMatchObject({ toolCall: { content: [...diffs, done] } });
  });

  test("version 1: are the texts of each hunk, or a text that names the change", async () => {
    const agent = await v2AgentSession({ version: 1, definition: { prompt: changeFiles } });
    agent.prompt("hi");
    await tick();
    expect(updatesOf(agent.client).at(-1)).toMatchObject({
      content: [
        { type: "diff", path: "/b", oldText: "one\n", newText: "two\n" },
        { type: "diff", path: "/b", oldText: "nine\n", newText: "ten\n" },
        { type: "content", content: { type: "text", text: "Moved /a to /b" } },
        { type: "content", content: { type: "text", text: "done" } },
      ],
    });
  });
});

test.each([
  [2, "_paused", []],
  [1, "end_turn", ["stop_reason"]],
] as const)("version %i: a stop reason of the agent's own is %s", async (version, expected, lost) => {
  const agent = await v2AgentSession({ version, definition: { prompt: async () => "_paused" } });
  const id = agent.prompt("hi");
  await tick();
  const ended = version === 2 ? agent.states().at(-1) : agent.client.responseTo(id)?.result;
  expect(ended).toMatchObject({ stopReason: expected });
  expect(agent.diagnostics.map(({ data }) => (data as { kind: string }).kind)).toEqual(lost);
});

test("V2-REQ-01: without the option, nothing of the agent's behaviour changes on version 1", async () => {
  const script = async (turn: Turn): Promise<void> => {
    const call = turn.toolCall({ toolCallId: "c", title: "Read", status: "in_progress" });
    await turn.message("one");
    await turn.plan([{ content: "a", priority: "low", status: "pending" }]);
    await call.add("two");
    call.detach();
    await call.complete();
    await turn.thought("three");
  };
  const both = await played(script, { version: 1 });
  const one = await played(script, { version: 1, options: { versions: [] } });
  expect(both.client.receivedSoFar()).toEqual(one.client.receivedSoFar());
});

test("the example of the guide tests in the background, and reports the result", async () => {
  const exit = deferred<number>();
  const [agentEnd, clientEnd] = linkedTransports();
  await using connection = tester((onOutput) => {
    onOutput(bytes);
    return { exitCode: exit.promise, kill: () => exit.resolve(130) };
  }).connect(agentEnd);
  const client = rawPeer(clientEnd, {
    side: "client",
    onMessage({ method, id }, peer) {
      if (method === "session/request_permission")
        peer.send({ id, result: { outcome: { outcome: "selected", optionId: "allow_once" } } });
    },
  });
  client.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
  const created = client.request("session/new", { cwd: "/work" }).id;
  await tick();
  const { result } = client.responseTo(created) as unknown as { result: { sessionId: string } };
  const { sessionId } = result;
  client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "test" }] });
  await tick();
  const idle = updatesOf(client, sessionId).at(-1) as { background: { terminalId: string }[] };
  expect(idle).toMatchObject({ state: "idle", background: [{ type: "terminal" }] });
  client.request("terminal/cancel", { sessionId, terminalId: idle.background[0]?.terminalId });
  await tick();
  expect(updatesOf(client, sessionId).slice(-3)).toMatchObject([
    { state: "running", background: [] },
    { content: { text: "The tests exited with 130" } },
    { state: "idle", stopReason: "end_turn" },
  ]);
  expect(client).toHaveConformantDialogue();
  await connection.close();
});
