// Uses the parts of the client with the everything agent, in a separate process.
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

  // The user decides the second of two open requests first.
  const turn = session.prompt("/permission 2");
  while (user.questions.snapshot.length < 2) await changed(user.questions.subscribe);
  const [first, second] = user.questions.snapshot;
  assert(second?.decide("reject_once", "alice") && first?.decide("allow_always", "bob"));
  await turn.result;
  const people = client.permissionDecisions.map(({ by, option }) => by.type === "person" && [by.person, option?.kind]);
  assert.deepEqual(people, [
    ["alice", "reject_once"],
    ["bob", "allow_always"],
  ]);

  // Pending permission requests are cancelled with their turn.
  const cancelled = session.prompt("/edit b.txt"); // not "/permission", for which the user's "always" is remembered
  while (user.questions.snapshot.length < 1) await changed(user.questions.subscribe);
  cancelled.cancel();
  assert.equal((await cancelled.result).stopReason, "cancelled");
  assert.deepEqual(user.questions.snapshot, []);
  assert.deepEqual(client.permissionDecisions.at(-1)?.by, { type: "none", reason: "turn_cancelled" });

  // A queued prompt can be removed.
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
  // In place of a terminal with a user, this test writes `yes` to the standard input of the login command.
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
