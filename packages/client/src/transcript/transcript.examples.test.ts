import { linkedTransports } from "@acp-kit/protocol";
import { expect, test } from "vitest";
import { connectAgent } from "../connect-agent.js";
import type { Session } from "../session/session.js";
import { drawSession, line } from "./transcript.examples.js";
import { createTranscript } from "./transcript.js";

/** A session of an agent that sends the given updates, then ends the turn. */
async function open(updates: readonly object[]): Promise<Session> {
  const [agent, transport] = linkedTransports();
  const results: Record<string, object> = {
    initialize: { protocolVersion: 1 },
    "session/new": { sessionId: "s" },
    "session/prompt": { stopReason: "end_turn" },
  };
  agent.start({
    message(value) {
      const { id, method } = value as { id: number; method: string };
      const params = (update: object) => ({ sessionId: "s", update });
      if (method === "session/prompt") {
        for (const update of updates)
          agent.send({ jsonrpc: "2.0", method: "session/update", params: params(update) } as never);
      }
      agent.send({ jsonrpc: "2.0", id, result: results[method] } as never);
    },
    malformed() {},
    ended() {},
    failed() {},
  });
  return (await connectAgent(transport)).newSession({ cwd: "/work" });
}

test("drawing a session", async () => {
  const session = await open([
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
    { sessionUpdate: "tool_call", toolCallId: "t", title: "Read a.ts" },
    { sessionUpdate: "plan", entries: [{ content: "Fix it", priority: "low", status: "pending" }] },
    { sessionUpdate: "notice", severity: "warning", title: "Careful" },
    { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" },
    { sessionUpdate: "_vendor_thing" },
  ]);
  let drawn: readonly string[] = [];
  const stop = drawSession(session, (lines) => {
    drawn = lines;
  });
  await session.prompt("Go").result;
  stop();
  expect(drawn).toEqual([
    "Go",
    "Hm.",
    "Read a.ts: stopped",
    "pending: Fix it",
    "warning: Careful",
    "The conversation was summarised: completed",
    "(something newer: _vendor_thing)",
  ]);
});

test("storing a conversation, and continuing it", () => {
  const said = (text: string) => ({
    type: "update" as const,
    update: { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text } },
  });
  const first = createTranscript();
  first.apply(said("A"));
  const continued = createTranscript({ from: JSON.parse(JSON.stringify(first)) });
  continued.apply(said("B"));
  expect(continued.snapshot.entries.map(line)).toEqual(["AB"]);
});

test("selecting the title", async () => {
  const session = await open([{ sessionUpdate: "session_info_update", title: "Fix it" }]);
  const title = session.transcript.select((snapshot) => snapshot.title ?? "Untitled");
  expect(title.getSnapshot()).toBe("Untitled");
  await session.prompt("Go").result;
  expect(title.getSnapshot()).toBe("Fix it");
});
