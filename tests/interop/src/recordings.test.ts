import { type AgentConnection, type ConnectAgentOptions, connectAgent } from "@acp-kit/client";
import { everythingAgent } from "@acp-kit/everything-agent";
import { linkedTransports, toMessageStream } from "@acp-kit/protocol";
import {
  createReplayer,
  formatDifferences,
  memorySink,
  type Recording,
  readRecording,
  recorder,
  runsOf,
} from "@acp-kit/testing/recording";
import type { ContentBlock, PermissionOptionKind } from "@acp-kit/types";
import { v2 } from "@acp-kit/v2/client";
import { client as sdkClient } from "sdk-2";
import { describe, expect, it } from "vitest";
import { transcripts } from "./peers/transcripts.js";

/** The options of a client of these tests, for any agent. */
const offers: ConnectAgentOptions = {
  info: { name: "recorded", version: "1.0.0" },
  files: { readTextFile: () => ({ content: "a\nb\n" }), writeTextFile: () => {} },
  terminals: {
    createTerminal: () => ({ terminalId: "terminal-1" }),
    terminalOutput: () => ({ output: "out", truncated: false }),
    waitForTerminalExit: () => ({ exitCode: 0 }),
    killTerminal: () => {},
    releaseTerminal: () => {},
  },
  permissions: async () => "allow_once",
};

const prompts = [
  "/echo hello",
  "/think",
  "/plan",
  "/edit /work/a.txt",
  "/permission",
  "/read /work/a.txt",
  "/run echo hi",
  "/unicode",
];

/** Runs the prompts of these tests. Returns the received updates and stop reasons. */
async function play(agent: AgentConnection, cwd: string): Promise<unknown[]> {
  const received: unknown[] = [];
  const session = await agent.newSession({ cwd });
  for (const prompt of prompts) {
    const turn = session.prompt(prompt.replace("/work", cwd));
    for await (const update of turn) received.push(update);
    received.push((await turn.result).stopReason);
  }
  return received;
}

/** Runs prompts on a connection of version 2; also one that the agent holds, and work without a prompt. */
async function playVersion2(agent: AgentConnection): Promise<unknown[]> {
  const received: unknown[] = [];
  const session = await agent.newSession({ cwd: "/work" });
  session.onUpdate((update) => void received.push(update));
  for (const prompt of ["/echo hello", "/permission", "/terminal", "/changes", "/replace", "/two-plans"])
    received.push((await session.prompt(prompt).result).stopReason);
  const slow = session.prompt("/slow 60");
  await slow.inserted;
  slow.cancel();
  received.push((await slow.result).stopReason, (await session.prompt("/work").result).stopReason);
  return received;
}

/** Records a conversation of our client with the everything agent. */
async function record(): Promise<{ readonly recording: Recording; readonly received: unknown[] }> {
  const [ours, theirs] = linkedTransports();
  everythingAgent().connect(theirs);
  const sink = memorySink();
  const tape = recorder({ in: "client", sink });
  const agent = await connectAgent(ours, { ...offers, tap: tape });
  const received = await play(agent, "/work");
  await agent.close();
  await tape.close();
  return { recording: readRecording(sink.text()), received };
}

describe("a recording of the everything agent", () => {
  it("replays the same updates to the client that recorded it", async () => {
    const { recording, received } = await record();
    const { transport, connection } = createReplayer(recording, { strict: true }).open();
    const agent = await connectAgent(transport, offers);
    expect(await play(agent, "/work")).toEqual(received);
    await agent.close();
    const report = await connection.closed;
    expect(formatDifferences(report.differences)).toBe("");
    expect(report.sent).toBe(report.recorded);
    expect(report.received).toBe(report.expected);
  });

  it("replays the updates to a client in another folder, with the paths of that folder", async () => {
    const { recording, received } = await record();
    const { transport, connection } = createReplayer(recording, { strict: true }).open();
    const agent = await connectAgent(transport, offers);
    const elsewhere = JSON.parse(JSON.stringify(received).replaceAll("/work", "/somewhere/else"));
    expect(await play(agent, "/somewhere/else")).toEqual(elsewhere);
    await agent.close();
    expect(formatDifferences((await connection.closed).differences)).toBe("");
  });

  it("replays the updates to a client on the official SDK", async () => {
    const { recording, received } = await record();
    const { transport, connection } = createReplayer(recording).open();
    const sdkReceived: unknown[] = [];
    const app = sdkClient({ name: "sdk-2" })
      .onNotification("session/update", ({ params }) => void sdkReceived.push(params.update))
      .onRequest("session/request_permission", ({ params }) => {
        const option = params.options.find(({ kind }) => kind === "allow_once");
        return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
      })
      .onRequest("fs/read_text_file", () => ({ content: "a\nb\n" }))
      .onRequest("fs/write_text_file", () => ({}))
      .onRequest("terminal/create", () => ({ terminalId: "t" }))
      .onRequest("terminal/output", () => ({ output: "out", truncated: false }))
      .onRequest("terminal/wait_for_exit", () => ({ exitCode: 0 }))
      .onRequest("terminal/release", () => ({}));
    const { agent } = app.connect(toMessageStream(transport) as never);
    const initialize = recording.entries.find((entry) => entry.kind === "message")?.message;
    const { clientCapabilities } = (initialize as { params: { clientCapabilities: object } }).params;
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities });
    const { sessionId } = await agent.request("session/new", { cwd: "/work", mcpServers: [] });
    for (const prompt of prompts) {
      const { stopReason } = await agent.request("session/prompt", {
        sessionId,
        prompt: [{ type: "text", text: prompt }],
      });
      sdkReceived.push(stopReason);
    }
    await transport.close();
    const { differences } = await connection.closed;
    // The client sends the same responses as ours, under ids of its own.
    expect(formatDifferences(differences)).toBe("");
    const withoutCommands = (list: unknown[]): unknown[] =>
      list.filter((each) => (each as { sessionUpdate?: string }).sessionUpdate !== "available_commands_update");
    expect(withoutCommands(sdkReceived)).toEqual(
      JSON.parse(JSON.stringify(withoutCommands(received)).replaceAll('"terminal-1"', '"t"')),
    );
  });

  it("replays the same updates to a client of version 2, and its messages to another agent", async () => {
    const [ours, theirs] = linkedTransports();
    everythingAgent().connect(theirs);
    const sink = memorySink();
    const options = { ...offers, versions: [v2] as const };
    const recorded = await connectAgent(ours, { ...options, tap: recorder({ in: "client", sink }) });
    const received = await playVersion2(recorded);
    await recorded.close();
    const recording = readRecording(sink.text());
    expect(recording.entries.find(({ kind }) => kind === "peers")).toMatchObject({
      protocolVersion: 2,
      client: { name: "recorded" },
      agent: { name: "everything-agent" },
    });
    const replayed = createReplayer(recording, { strict: true }).open();
    const agent = await connectAgent(replayed.transport, options);
    expect(agent.protocolVersion).toBe(2);
    expect(await playVersion2(agent)).toEqual(received);
    await agent.close();
    const asClient = createReplayer(recording, { as: "client" }).open();
    everythingAgent().connect(asClient.transport);
    for (const report of [await replayed.connection.closed, await asClient.connection.closed]) {
      expect(formatDifferences(report.differences)).toBe("");
      expect([report.sent, report.received]).toEqual([report.recorded, report.expected]);
    }
  });

  it("replays the client's messages to another everything agent", async () => {
    const { recording } = await record();
    const { transport, connection } = createReplayer(recording, { as: "client" }).open();
    everythingAgent().connect(transport);
    const report = await connection.closed;
    expect(formatDifferences(report.differences)).toBe("");
    expect(report.sent).toBe(report.recorded);
    expect(report.received).toBe(report.expected);
  });
});

/** The prompt and the cancellation of the recorded client's first turn, with its result. */
function firstTurn(run: Recording) {
  const messages = run.entries.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
  type Params = { sessionId?: string; prompt?: unknown };
  type Wire = {
    id?: unknown;
    method?: string;
    params?: Params;
    result?: { stopReason?: string; sessionId?: string };
    error?: { code: number };
  };
  const recorded = messages.map(({ from, message }) => ({ from, message: message as Wire }));
  const opened = recorded.map(({ message }) => message.result?.sessionId ?? message.params?.sessionId);
  // Some recorded clients send invalid requests first, on purpose.
  const at = recorded.findIndex(
    ({ message: { method, params } }, index) =>
      method === "session/prompt" && Array.isArray(params?.prompt) && opened.indexOf(params.sessionId) < index,
  );
  const id = recorded[at]?.message.id;
  const end = recorded.findIndex(
    ({ from, message }, index) => index > at && from === "agent" && message.id === id && !message.method,
  );
  const during = recorded.slice(at + 1, end === -1 ? undefined : end);
  const opening = recorded
    .slice(0, at)
    .findLast(({ message }) => message.method === "session/new" || message.method === "session/load");
  const cancel = during.findIndex(({ message }) => message.method === "session/cancel");
  const isUpdate = ({ message }: { message: Wire }): boolean => message.method === "session/update";
  const asked = during.find(({ message }) => message.method === "session/request_permission")?.message;
  const options = (asked?.params as { options?: { optionId: string; kind: PermissionOptionKind }[] } | undefined)
    ?.options;
  const answer = during.find(
    ({ from, message }) => from === "client" && "result" in message && message.id === asked?.id,
  );
  const chosen = (answer?.message.result as { outcome?: { optionId?: string } } | undefined)?.outcome?.optionId;
  return {
    prompt: recorded[at]?.message.params as { prompt: ContentBlock[] } | undefined,
    opening: opening?.message,
    updatesBeforeCancel: cancel === -1 ? undefined : during.slice(0, cancel).filter(isUpdate).length,
    permission: options?.find(({ optionId }) => optionId === chosen)?.kind ?? ("cancelled" as const),
    end: end === -1 ? undefined : recorded[end]?.message,
  };
}

const { found, reason } = transcripts();
const turns = found.flatMap(({ name, recording }) =>
  runsOf(recording).map((run, index) => ({ name: `${name}, run ${index + 1}`, run, turn: firstTurn(run) })),
);

describe("recordings of real agents", () => {
  it("exist, or the test is skipped", ({ skip }) => {
    if (found.length > 0) return expect(turns.length).toBeGreaterThanOrEqual(found.length);
    console.log(`Not run: the replay of real agents, because ${reason}.`);
    return skip(reason);
  });

  it.each(turns.filter(({ turn }) => turn.prompt !== undefined))(
    "$name: our client runs a whole turn with the replayed agent",
    async ({ run, turn }) => {
      const { transport, connection } = createReplayer(run).open();
      const agent = await connectAgent(transport, { ...offers, permissions: async () => turn.permission });
      const loads = turn.opening?.method === "session/load" && turn.opening.params;
      const session = loads
        ? await agent.loadSession({ sessionId: (loads as { sessionId: string }).sessionId, cwd: "/elsewhere" })
        : await agent.newSession({ cwd: "/elsewhere" });
      const running = session.prompt(turn.prompt?.prompt ?? [], { unsupportedBlocks: "link" });
      let received = 0;
      if (turn.updatesBeforeCancel === 0) running.cancel();
      const reading = (async () => {
        for await (const _ of running) {
          received += 1;
          if (received === turn.updatesBeforeCancel) running.cancel();
        }
      })();
      await reading.catch(() => {}); // Reading throws the error of a failed turn, which is compared below.
      const result = await running.result.then(
        ({ stopReason }) => stopReason,
        (error: { code?: number | string }) => error.code,
      );
      expect(result).toBe(turn.end?.result?.stopReason ?? turn.end?.error?.code ?? "closed");
      await agent.close();
      const { sent } = await connection.closed;
      expect(sent).toBeGreaterThan(2);
    },
  );

  it.each(turns)("$name: both sides replay all messages to each other", async ({ run }) => {
    const { transport, connection } = createReplayer(run, { strict: true }).open();
    const client = await createReplayer(run, { as: "client", strict: true }).connect(transport).closed;
    const agent = await connection.closed;
    expect(formatDifferences([...client.differences, ...agent.differences])).toBe("");
    expect([client.sent, agent.sent]).toEqual([client.recorded, agent.recorded]);
  });
});
