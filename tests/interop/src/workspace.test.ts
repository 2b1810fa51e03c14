import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, type Turn } from "@acp-kit/agent";
import {
  type AgentConnection,
  type ClientContext,
  connectAgent,
  type FileHandlers,
  linkedTransports,
  type Session,
  type TerminalHandlers,
} from "@acp-kit/client";
import { filesBelow } from "@acp-kit/configs/files";
import { program } from "@acp-kit/promises-tests/program";
import { checkV1Client } from "@acp-kit/protocol/strict";
import { spawnAgent } from "@acp-kit/stdio/node";
import {
  type FileAccess,
  type WorkspaceContext,
  type WorkspaceFiles,
  type WorkspaceTerminals,
  workspaceFiles,
  workspaceTerminals,
} from "@acp-kit/workspace";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";

let root: string;
let cwd: string;
const open: AsyncDisposable[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-interop-")));
  cwd = join(root, "project");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "secret.txt"), "SECRET");
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** Starts the everything agent as a process, and a client that serves it the workspace. */
async function serve() {
  const accesses: FileAccess[] = [];
  const output: string[] = [];
  const terminals = workspaceTerminals({ onOutput: (_, text) => output.push(text) });
  const args = [await program(new URL("./peers/everything.ts", import.meta.url)), "--pace", "0"];
  const client = await connectAgent(spawnAgent({ command: process.execPath, args }), {
    checkOutgoing: checkV1Client,
    files: workspaceFiles({ onAccess: (access) => accesses.push(access), deny: [".env"] }),
    terminals,
    permissions: async () => "allow_once",
  });
  open.push(terminals, client);
  return { client, terminals, accesses, output };
}

/** Returns the text of the agent's messages in a turn. */
async function say(session: Session, prompt: string): Promise<string> {
  let text = "";
  const turn = session.prompt(prompt);
  for await (const update of turn) {
    if (update.sessionUpdate === "agent_message_chunk") text += (update.content as { text?: string }).text ?? "";
  }
  await turn.result;
  return text;
}

describe("the workspace and an agent in another process", () => {
  it("has the types of the client's file and terminal handlers", () => {
    expectTypeOf<WorkspaceFiles>().toExtend<FileHandlers>();
    expectTypeOf<WorkspaceTerminals>().toExtend<TerminalHandlers>();
    expectTypeOf<ClientContext>().toExtend<WorkspaceContext>();
  });

  it("read, write and edit only files of the session's folder", async () => {
    const { client, accesses } = await serve();
    const session = await client.newSession({ cwd });
    expect(await say(session, `/read ${join(cwd, "a.txt")} 2 1`)).toContain("has 4 characters");
    await say(session, `/write ${join(cwd, "deep/b.txt")} written`);
    expect(readFileSync(join(cwd, "deep", "b.txt"), "utf8")).toContain("written");
    await say(session, `/edit ${join(cwd, "a.txt")}`);
    symlinkSync(root, join(cwd, "link"));
    writeFileSync(join(cwd, ".env"), "SECRET");
    for (const path of [join(root, "secret.txt"), join(cwd, "link/secret.txt"), join(cwd, ".env")]) {
      expect(await say(session, `/read ${path}`)).not.toContain("characters");
      await say(session, `/write ${path} EVIL`);
    }
    expect(readFileSync(join(root, "secret.txt"), "utf8")).toBe("SECRET");
    expect(readdirSync(root).sort()).toEqual(["project", "secret.txt"]);
    const refused = accesses
      .filter(({ outcome }) => outcome === "refused")
      .map(({ kind, reason }) => `${kind} ${reason}`);
    expect(refused).toEqual([
      ...["read outside", "write outside", "read outside", "write outside", "read denied", "write denied"],
    ]);
  });

  it("run commands in this folder, read their output while they run, and release them", async () => {
    const { client, terminals, output } = await serve();
    const session = await client.newSession({ cwd });
    expect(await say(session, "/run")).toContain("exit code 0");
    expect(output.join("")).toBe("line 1\nline 2\nline 3\n");
    expect(await say(session, "/timeout 50")).not.toBe("");
    expect(terminals.openTerminals).toEqual([]);
  });
});

describe("the workspace and an agent of ours", () => {
  /** Creates an agent in the same process that performs one operation per prompt. */
  async function playing(
    play: (turn: Turn) => Promise<void>,
    terminals = workspaceTerminals(),
  ): Promise<AgentConnection> {
    const [ours, theirs] = linkedTransports();
    createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession: () => ({ sessionId: crypto.randomUUID() }),
      closeSession: () => {},
      prompt: play,
    }).connect(theirs);
    const client = await connectAgent(ours, { files: workspaceFiles({ deleteAndRename: true }), terminals });
    open.push(terminals, client);
    return client;
  }

  it("delete and rename files within the folder, although the protocol has no methods for this", async () => {
    const errors: unknown[] = [];
    const client = await playing(async (turn) => {
      await turn.client.renameFile({ path: join(cwd, "a.txt"), targetPath: join(cwd, "b", "c.txt") });
      await turn.client.deleteFile({ path: join(root, "secret.txt") }).catch((error) => errors.push(error));
      await turn.client.writeTextFile({ path: join(cwd, "d.txt"), content: "" });
      await turn.client.deleteFile({ path: join(cwd, "d.txt") });
    });
    const session = await client.newSession({ cwd });
    expect(await session.prompt("go").result).toEqual({ stopReason: "end_turn" });
    expect(filesBelow(cwd)).toEqual(["b/c.txt"]);
    expect(errors).toMatchObject([{ code: -32602, data: { reason: "outside" } }]);
    expect(existsSync(join(root, "secret.txt"))).toBe(true);
  });

  it("release terminals with their session and with the connection, without a request", async () => {
    const terminals = workspaceTerminals();
    const client = await playing(async (turn) => {
      await turn.client.createTerminal({ command: "sleep 600" });
    }, terminals);
    const [one, two] = [await client.newSession({ cwd }), await client.newSession({ cwd })];
    await one.prompt("go").result;
    await two.prompt("go").result;
    expect(terminals.openTerminals.map(({ sessionId }) => sessionId)).toEqual([one.sessionId, two.sessionId]);
    await one.close();
    expect(terminals.openTerminals.map(({ sessionId }) => sessionId)).toEqual([two.sessionId]);
    await client.close();
    expect(terminals.openTerminals).toEqual([]);
  });
});
