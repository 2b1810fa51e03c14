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
import { client as sdkClient } from "sdk-2";
import { describe, expect, it } from "vitest";
import { transcripts } from "./strangers/transcripts.js";

/** What a client of these tests offers, for any agent. */
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

/** Plays the prompts of these tests; returns the received updates. */
async function play(agent: AgentConnection, cwd: string): Promise<unknown[]> {
  const heard: unknown[] = [];
  const session = await agent.newSession({ cwd });
  for (const prompt of prompts) {
    const turn = session.prompt(prompt.replace("/work", cwd));
    for await (const update of turn) heard.push(update);
    heard.push((await turn.result).stopReason);
  }
  return heard;
}

/** A conversation with the everything agent, recorded by our client. */
async function record(): Promise<{ readonly recording: Recording; readonly heard: unknown[] }> {
  const [ours, theirs] = linkedTransports();
  everythingAgent().connect(theirs);
  const sink = memorySink();
  const tape = recorder({ in: "client", sink });
  const agent = await connectAgent(ours, { ...offers, tap: tape });
  const heard = await play(agent, "/work");
  await agent.close();
  await tape.close();
  return { recording: readRecording(sink.text()), heard };
}

describe("a recording of the everything agent", () => {
  it("says the same to the client that recorded it, to the letter", async () => {
    const { recording, heard } = await record();
    const { transport, connection } = createReplayer(recording, { strict: true }).open();
    const agent = await connectAgent(transport, offers);
    expect(await play(agent, "/work")).toEqual(heard);
    await agent.close();
    const report = await connection.closed;
    expect(formatDifferences(report.differences)).toBe("");
    expect(report.sent).toBe(report.recorded);
    expect(report.received).toBe(report.expected);
  });

  it("says it in another folder, too", async () => {
    const { recording, heard } = await record();
    const { transport, connection } = createReplayer(recording, { strict: true }).open();
    const agent = await connectAgent(transport, offers);
    const elsewhere = JSON.parse(JSON.stringify(heard).replaceAll("/work", "/somewhere/else"));
    expect(await play(agent, "/somewhere/else")).toEqual(elsewhere);
    await agent.close();
    expect(formatDifferences((await connection.closed).differences)).toBe("");
  });

  it("says it to a client on the official SDK", async () => {
    const { recording, heard } = await record();
    const { transport, connection } = createReplayer(recording).open();
    const said: unknown[] = [];
    const app = sdkClient({ name: "sdk-2" })
      .onNotification("session/update", ({ params }) => void said.push(params.update))
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
      said.push(stopReason);
    }
    await transport.close();
    const { differences } = await connection.closed;
    // It answers as we did, under ids of its own.
    expect(formatDifferences(differences)).toBe("");
    const told = (list: unknown[]): unknown[] =>
      list.filter((each) => (each as { sessionUpdate?: string }).sessionUpdate !== "available_commands_update");
    expect(told(said)).toEqual(JSON.parse(JSON.stringify(told(heard)).replaceAll('"terminal-1"', '"t"')));
  });

  it("is the client, to an everything agent that was never recorded", async () => {
    const { recording } = await record();
    const { transport, connection } = createReplayer(recording, { as: "client" }).open();
    everythingAgent().connect(transport);
    const report = await connection.closed;
    expect(formatDifferences(report.differences)).toBe("");
    expect(report.sent).toBe(report.recorded);
    expect(report.received).toBe(report.expected);
  });
});

/** What the recorded client did in its first turn, and how that ended. */
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
  const said = messages.map(({ from, message }) => ({ from, message: message as Wire }));
  const opened = said.map(({ message }) => message.result?.sessionId ?? message.params?.sessionId);
  // Some recorded clients ask for nonsense first, on purpose.
  const at = said.findIndex(
    ({ message: { method, params } }, index) =>
      method === "session/prompt" && Array.isArray(params?.prompt) && opened.indexOf(params.sessionId) < index,
  );
  const id = said[at]?.message.id;
  const end = said.findIndex(
    ({ from, message }, index) => index > at && from === "agent" && message.id === id && !message.method,
  );
  const during = said.slice(at + 1, end === -1 ? undefined : end);
  const opening = said
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
    prompt: said[at]?.message.params as { prompt: ContentBlock[] } | undefined,
    opening: opening?.message,
    updatesBeforeCancel: cancel === -1 ? undefined : during.slice(0, cancel).filter(isUpdate).length,
    permission: options?.find(({ optionId }) => optionId === chosen)?.kind ?? ("cancelled" as const),
    end: end === -1 ? undefined : said[end]?.message,
  };
}

const { found, reason } = transcripts();
const turns = found.flatMap(({ name, recording }) =>
  runsOf(recording).map((run, index) => ({ name: `${name}, run ${index + 1}`, run, turn: firstTurn(run) })),
);

describe("recordings of real agents", () => {
  it("are there, or not", ({ skip }) => {
    if (found.length > 0) return expect(turns.length).toBeGreaterThanOrEqual(found.length);
    console.log(`Not run: the replay of real agents, because ${reason}.`);
    return skip(reason);
  });

  it.each(turns.filter(({ turn }) => turn.prompt !== undefined))(
    "$name plays a whole turn with our client",
    async ({ run, turn }) => {
      const { transport, connection } = createReplayer(run).open();
      const agent = await connectAgent(transport, { ...offers, permissions: async () => turn.permission });
      const loads = turn.opening?.method === "session/load" && turn.opening.params;
      const session = loads
        ? await agent.loadSession({ sessionId: (loads as { sessionId: string }).sessionId, cwd: "/elsewhere" })
        : await agent.newSession({ cwd: "/elsewhere" });
      const running = session.prompt(turn.prompt?.prompt ?? [], { unsupportedBlocks: "link" });
      let heard = 0;
      if (turn.updatesBeforeCancel === 0) running.cancel();
      const reading = (async () => {
        for await (const _ of running) {
          heard += 1;
          if (heard === turn.updatesBeforeCancel) running.cancel();
        }
      })();
      await reading.catch(() => {}); // reading throws the error of a turn that failed, which is compared below
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

  it.each(turns)("$name is said again, all of it, by both sides to each other", async ({ run }) => {
    const { transport, connection } = createReplayer(run, { strict: true }).open();
    const client = await createReplayer(run, { as: "client", strict: true }).connect(transport).closed;
    const agent = await connection.closed;
    expect(formatDifferences([...client.differences, ...agent.differences])).toBe("");
    expect([client.sent, agent.sent]).toEqual([client.recorded, agent.recorded]);
  });
});
