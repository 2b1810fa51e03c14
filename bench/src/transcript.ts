// Measures a transcript, per update: `pnpm --filter @acp-kit/bench transcript`, after a build.
//   … transcript chunks      only the scenarios whose name contains "chunks"
import { type ConnectAgentOptions, connectAgent, createTranscript, linkedTransports } from "@acp-kit/client";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { measureApart, type Scenario } from "./measure.js";

const chunk = (index: number): IncomingSessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "msg_1",
  content: { type: "text", text: `The quick brown fox jumps over lazy dog ${index}. ` },
});

const toolUpdate = (index: number): IncomingSessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: `call_${index % 100}`,
  status: "in_progress",
  content: [{ type: "content", content: { type: "text", text: `${index}` } }],
});

/** Adds `perTick` updates at a time. With `watched`, the transcript is read after each time. */
function addAll(
  name: string,
  count: number,
  make: (index: number) => IncomingSessionUpdate,
  { perTick = 100, watched = true, before = 0 }: { perTick?: number; watched?: boolean; before?: number } = {},
): Scenario {
  return {
    name: `${name}, ${watched ? `looked at every ${perTick}` : "not read"}`,
    count,
    prepare() {
      const updates = Array.from({ length: count }, (_, index) => make(index));
      const due: (() => void)[] = [];
      const transcript = createTranscript({ schedule: (notify) => void due.push(notify) });
      for (let index = 0; index < before; index += 1) {
        transcript.update({
          sessionUpdate: "tool_call",
          toolCallId: `call_${index}`,
          title: "Run",
          status: "completed",
        });
      }
      let seen = 0;
      if (watched) {
        transcript.subscribe(() => {
          seen += transcript.snapshot.entries.length;
        });
      }
      return async () => {
        for (let index = 0; index < count; ) {
          for (const end = Math.min(count, index + perTick); index < end; index += 1) {
            transcript.update(updates[index] as IncomingSessionUpdate);
          }
          for (const notify of due.splice(0)) notify();
        }
        if (transcript.snapshot.entries.length === 0 || (watched && seen === 0)) throw new Error("no update was added");
      };
    },
  };
}

/** Measures a client from the JSON text to the transcript. */
function client(name: string, options: ConnectAgentOptions): Scenario {
  const count = 50_000;
  const updates = Array.from({ length: count }, (_, index) => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: chunk(index) },
  }));
  return {
    name: `client, ${count.toLocaleString("en-US")} chunks as JSON, ${name}`,
    count,
    prepare() {
      const [agent, transport] = linkedTransports({ serialize: true });
      agent.start({
        message(value) {
          const { id, method } = value as { id: number; method: string };
          if (method === "session/prompt") for (const update of updates) agent.send(update as never);
          const results: Record<string, object> = {
            initialize: { protocolVersion: 1 },
            "session/new": { sessionId: "s" },
            "session/prompt": { stopReason: "end_turn" },
          };
          agent.send({ jsonrpc: "2.0", id, result: results[method] } as never);
        },
        malformed() {},
        ended() {},
        failed() {},
      });
      return async () => {
        const connection = await connectAgent(transport, { ...options, onUpdate: () => {} });
        const session = await connection.newSession({ cwd: "/work" });
        await session.prompt("Go").result;
        await connection.close();
      };
    },
  };
}

const scenarios = [
  ...[25_000, 50_000, 100_000, 200_000].flatMap((count) => {
    const name = `${count.toLocaleString("en-US")} chunks of one message`;
    return [
      addAll(name, count, chunk, { watched: false }),
      addAll(name, count, chunk),
      addAll(name, count, chunk, { perTick: 1 }),
    ];
  }),
  addAll("100,000 chunks after 1,000 tool calls", 100_000, chunk, { before: 1_000 }),
  addAll("100,000 updates of 100 tool calls", 100_000, toolUpdate),
  client("nothing else", { transcript: false, dialects: false }),
  client("with dialects", { transcript: false }),
  client("with a transcript", { dialects: false }),
  client("with both", {}),
];

await measureApart(scenarios);
