// Runs the agent with our client: a complete task, a refused permission, a crash in a turn, and a conversation that
// continues after the crash.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConnectAgentOptions, connectAgent, type PromptTurn, type Session } from "@acp-kit/client";
import { type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import type { Playground } from "./playground.js";

const start = ({ command, args, env, cwd }: Playground): AgentProcess => spawnAgent({ command, args, env, cwd });

interface Played {
  readonly stopReason: string;
  readonly text: string;
  readonly updates: readonly IncomingSessionUpdate[];
}

async function play(turn: PromptTurn, see: (update: IncomingSessionUpdate) => void = () => {}): Promise<Played> {
  const updates: IncomingSessionUpdate[] = [];
  let text = "";
  for await (const update of turn) {
    updates.push(update);
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
    see(update);
  }
  return { ...(await turn.result), text, updates };
}

/** Fixes the typo with our client. Returns the id of the session, for the other clients. */
export async function playWithOurClient(place: Playground): Promise<string> {
  const file = join(place.cwd, "greeting.txt");
  const asked: string[] = [];
  let answer: "allow_once" | "reject_once" = "reject_once";
  const options: ConnectAgentOptions = {
    permissions: async ({ toolCall }) => {
      asked.push(toolCall.title ?? "");
      return answer;
    },
  };

  let sessionId: string;
  const first = start(place);
  {
    await using agent = await connectAgent(first, options);
    const session = await agent.newSession({ cwd: place.cwd });
    sessionId = session.sessionId;

    const refused = await play(session.prompt("Please fix the greeting"));
    assert.equal(refused.text, "Then I leave it as it is.");
    assert.match(await readFile(file, "utf8"), /^Helo/);

    answer = "allow_once";
    asked.length = 0;
    const fixed = await play(session.prompt("Do fix it"));
    assert.equal(fixed.stopReason, "end_turn");
    assert.match(await readFile(file, "utf8"), /^Hello/);
    assert.deepEqual(asked, ["Edit greeting.txt", "Run node check.mjs"]);
    assert.equal(fixed.text, "The typo is fixed and the check passes.");
    checkTranscript(session);

    // The agent is killed while a command runs.
    const crashed = session.prompt("Now wait");
    const died = assert.rejects(crashed.result);
    await play(crashed, (update) => {
      if (isRunning(update) && first.pid !== undefined) process.kill(first.pid, "SIGKILL");
    }).catch(() => {});
    await died;
  }

  await using agent = await connectAgent(start(place), options);
  const loaded = await agent.loadSession({ cwd: place.cwd, sessionId });
  checkTranscript(loaded);
  assert.equal(loaded.transcript.snapshot.entries.findLast((entry) => entry.type === "tool_call")?.status, "failed");
  const { text } = await play(loaded.prompt("What do you remember?"));
  assert.equal(text, "I remember 4 prompts and 10 results of tools.");
  await writeFile(file, "Helo, world\n"); // for the next client
  return sessionId;
}

const isRunning = (update: IncomingSessionUpdate): boolean =>
  update.sessionUpdate === "tool_call_update" && update.status === "in_progress";

/** Checks the transcript: a completed plan, an edit with its diff, and a command with its output. */
function checkTranscript({ transcript }: Session): void {
  const { entries } = transcript.snapshot;
  const plan = entries.findLast((entry) => entry.type === "plan");
  assert.deepEqual(
    plan?.entries.map(({ status }) => status),
    ["completed", "completed"],
  );
  const calls = entries.filter((entry) => entry.type === "tool_call");
  const edit = calls.findLast(({ title }) => title === "Edit greeting.txt");
  assert.equal(edit?.status, "completed");
  assert.equal(edit?.content?.[0]?.type, "diff");
  const command = calls.findLast(({ title }) => title === "Run node check.mjs");
  assert.match(JSON.stringify(command?.content), /checked/);
}
