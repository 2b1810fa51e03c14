// Runs the code of the guides.
import assert from "node:assert/strict";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent } from "@acp-kit/agent";
import {
  type AgentConnection,
  type ConnectAgentOptions,
  connectAgent,
  isConnectionError,
  linkedTransports,
} from "@acp-kit/client";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { spawnAgent } from "@acp-kit/stdio/node";
import { workspaceFiles } from "@acp-kit/workspace";
import { careful, forgetful, agent as patient } from "./cancellation/agent.js";
import { collect, impatient, stopWhenItRuns } from "./cancellation/client.js";
import { buffers } from "./editor/buffers.js";
import { logged, startAgent } from "./editor/connect.js";
import { render } from "./editor/render.js";
import { ask, menuOf, openSession, withLogin } from "./editor/session.js";

const folder = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-guides-")));
try {
  await yourFirstAgent();
  await integratingWithAnEditor();
  await cancellationAndOrdering();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log("guides: the first agent, an editor, cancelling and order");

async function yourFirstAgent(): Promise<void> {
  const script = fileURLToPath(new URL("./first-agent/main.ts", import.meta.url));
  const file = join(folder, "a.txt");
  await writeFile(file, "teh cat\n");
  await using connection = await connectAgent(
    spawnAgent({ command: process.execPath, args: ["--import", "tsx", script] }),
    {
      permissions: async () => "allow_once",
      files: workspaceFiles(),
    },
  );
  const session = await connection.newSession({ cwd: folder });
  const updates: string[] = [];
  const turn = session.prompt("a.txt");
  for await (const update of turn) updates.push(update.sessionUpdate);
  assert.deepEqual(await turn.result, { stopReason: "end_turn" });
  assert.deepEqual(updates, [
    "plan",
    "tool_call",
    "tool_call_update",
    "tool_call_update",
    "plan",
    "agent_message_chunk",
  ]);
  assert.equal(await readFile(file, "utf8"), "the cat\n");

  const history: string[] = [];
  const { sessionId } = session;
  await connection.loadSession({ sessionId, cwd: folder }, { onUpdate: (update) => void history.push(render(update)) });
  assert.deepEqual(history, ["a.txt", "Done."]);
}

async function integratingWithAnEditor(): Promise<void> {
  const file = join(folder, "b.txt");
  await writeFile(file, "saved");
  buffers.set(file, "not saved yet\n");
  const asked: string[] = [];
  await using agent = await startAgent(
    everythingAgentCommand(["--pace", "0", "--auth"]),
    folder,
    async (title, options) => {
      asked.push(title);
      return options.find(({ kind }) => kind === "allow_once")?.optionId;
    },
  );
  const shown: string[] = [];
  const show = (update: Parameters<typeof render>[0]): void => void shown.push(render(update));
  const session = await withLogin(
    agent,
    async () => 0,
    () => openSession(agent, folder, undefined, show),
  );
  assert.equal(session.origin, "new");
  assert.deepEqual(
    menuOf(session).map(({ name, value }) => `${name}: ${value}`),
    ["Mode: ask", "Model: parrot", "Thinking: off"],
  );
  const { signal } = new AbortController();
  assert.equal(await ask(session, "/read b.txt", () => {}, signal), "end_turn");
  assert(shown.includes("b.txt has 14 characters."), "the unsaved text");
  assert.equal(await ask(session, "/edit b.txt", () => {}, signal), "end_turn");
  assert.deepEqual(asked, [`Edit b.txt\n${file}\n+ One more line, by the everything agent.`]);
  assert.match(buffers.get(file) ?? "", /^not saved yet\nOne more line/);
  assert.equal(await readFile(file, "utf8"), buffers.get(file));
  assert.equal(await ask(session, "/read ../secret.txt", () => {}, signal), "end_turn");
  assert(shown.includes("I could not read ../secret.txt."));
  const stop = new AbortController();
  const slow = ask(
    session,
    "/slow",
    (update) => {
      if (update.sessionUpdate === "tool_call") stop.abort();
    },
    stop.signal,
  );
  assert.equal(await slow, "cancelled");
  assert.deepEqual(logged, []);
}

async function cancellationAndOrdering(): Promise<void> {
  {
    await using connection = await pair(patient);
    const session = await connection.newSession({ cwd: "/" });
    assert.equal(await stopWhenItRuns(session), "cancelled");
    const error = await impatient(session).catch((error: unknown) => error);
    assert(isConnectionError(error) && error.code === "timeout");
  }
  {
    await using connection = await pair(careful);
    const session = await connection.newSession({ cwd: "/" });
    const turn = session.prompt("Go");
    turn.cancel();
    const shown: string[] = [];
    for await (const update of turn) shown.push(render(update));
    assert.deepEqual(shown, ["I stopped half-way; nothing was changed."]);
    assert.deepEqual(await turn.result, { stopReason: "cancelled" });
  }
  {
    await using connection = await pair(forgetful);
    const session = await connection.newSession({ cwd: "/" });
    const saved: string[] = [];
    await collect(session, async (text) => {
      await new Promise((resolve) => setImmediate(resolve));
      saved.push(text);
    });
    assert.deepEqual(saved, ["one ", "two ", "three"]);
  }
}

function pair(agent: Agent, options: ConnectAgentOptions = {}): Promise<AgentConnection> {
  const [ours, theirs] = linkedTransports();
  agent.connect(theirs);
  return connectAgent(ours, options);
}
