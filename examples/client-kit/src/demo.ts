// Drives the everything agent with the parts of a client, over real processes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentConnection, type ConnectAgentOptions, connectAgent } from "@acp-kit/client";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { superviseAgent } from "@acp-kit/stdio/node";
import { loginFor } from "./login.js";
import { permissionsFor, user } from "./permissions.js";
import { explain } from "./prompts.js";
import { menuOf, reopen, type Saved, toSave } from "./settings.js";

const folder = await mkdtemp(join(tmpdir(), "acp-kit-client-kit-"));
const agent = everythingAgentCommand(["--pace", "0", "--store", join(folder, "store")]);
try {
  await conversation();
  await restart();
  await logins();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log("client-kit: prompts, permissions, options, a queue, the next run, a login in a terminal");

function connect(options: ConnectAgentOptions, args: readonly string[] = []): Promise<AgentConnection> {
  return connectAgent(superviseAgent({ ...agent, args: [...agent.args, ...args] }), options);
}

async function conversation(): Promise<void> {
  await using client = await connect({ permissions: permissionsFor(user) });
  const session = await client.newSession({ cwd: folder });

  assert.match(await explain(session, "/work/a b.ts", "unsaved").text(), /link to a b\.ts: file:\/\/\/work\/a%20b\.ts/);

  // A person answers the second of two questions, though the first is shown.
  const turn = session.prompt("/permission 2");
  while (user.questions.snapshot.length < 2) await changed(user.questions.subscribe);
  const [first, second] = user.questions.snapshot;
  assert(second?.answer("reject_once", "alice") && first?.answer("allow_always", "bob"));
  await turn.result;
  const people = client.permissionDecisions.map(({ by, option }) => by.type === "person" && [by.person, option?.kind]);
  assert.deepEqual(people, [
    ["alice", "reject_once"],
    ["bob", "allow_always"],
  ]);

  // Whatever waits is cancelled with its turn.
  const cancelled = session.prompt("/edit b.txt"); // "/permission" would be answered "always" now
  while (user.questions.snapshot.length < 1) await changed(user.questions.subscribe);
  cancelled.cancel();
  assert.equal((await cancelled.result).stopReason, "cancelled");
  assert.deepEqual(user.questions.snapshot, []);
  assert.deepEqual(client.permissionDecisions.at(-1)?.by, { type: "none", reason: "turn_cancelled" });

  // A prompt that waits can be taken back.
  const slow = session.prompt("/slow");
  const waiting = session.prompt("never mind");
  assert.deepEqual([slow.state, waiting.state, waiting.remove()], ["running", "queued", true]);
  slow.cancel();
  assert.equal((await slow.result).stopReason, "cancelled");
}

async function restart(): Promise<void> {
  let saved: Saved = {};
  {
    await using client = await connect({});
    const session = await reopen(client, folder, saved);
    assert.deepEqual(menuOf(session), ["Mode: ask", "Model: parrot", "Thinking: off"]);
    await session.options.set("mode", "code");
    await session.prompt("Hello").result;
    saved = JSON.parse(JSON.stringify(toSave(session)));
  }
  await using client = await connect({});
  const session = await reopen(client, folder, saved);
  assert.equal(session.origin, "resumed");
  assert.equal(session.options.get("mode")?.value, "code");
  assert.equal(await reopen(client, folder, saved), session, "it is open already");
}

async function logins(): Promise<void> {
  // The terminal of this test is a pipe that says yes.
  const handlers = loginFor(agent.command, agent.args, async (methods) =>
    methods.find(({ kind }) => kind === "terminal"),
  );
  const login = {
    ...handlers,
    async terminal({ args }: { readonly args: readonly string[] }) {
      const child = spawn(agent.command, [...agent.args, ...args], { stdio: ["pipe", "ignore", "inherit"] });
      child.stdin.end("yes\n");
      const [code] = await once(child, "exit");
      return code === 0;
    },
  };
  await using client = await connect({ login }, ["--auth"]);
  const session = await client.newSession({ cwd: folder });
  assert.equal(session.origin, "new");
  await client.logout();
  const again = session.prompt("Hello");
  assert.equal((await again.result).stopReason, "end_turn", "it logs in, starts the agent again, resumes and prompts");
}

function changed(subscribe: (listener: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      stop();
      resolve();
    });
  });
}
