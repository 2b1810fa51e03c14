import { type AgentConnection, type ConnectAgentOptions, connectAgent, extension } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { program } from "@acp-kit/promises-tests/program";
import { checkV1Client } from "@acp-kit/protocol/strict";
import { spawnAgent } from "@acp-kit/stdio/node";
import type { IncomingSessionUpdate } from "@acp-kit/types";
import { describe, expect, it, onTestFinished } from "vitest";
import { kitAgent } from "./peers/kit.js";
import { type Profile, profiles, type RemoteServer, serveOurs, serveSdk2 } from "./peers/remote-servers.js";
import { everything, form, history, modes, page } from "./peers/script.js";
import { sdk2Agent } from "./peers/sdk-2.js";

const agents = [
  { name: "@acp-kit/agent", agent: "kit", connect: startAgent("kit-agent"), newest: true },
  { name: "@agentclientprotocol/sdk 2.4.0", agent: "sdk-2", connect: startAgent("sdk-2-agent"), newest: true },
  { name: "@agentclientprotocol/sdk 0.14.1", agent: "sdk-0", connect: startAgent("sdk-0-agent"), newest: false },
  ...profiles.flatMap((profile) => [
    {
      name: `@acp-kit/agent, over ${profile}`,
      agent: "kit",
      connect: reach(profile, () => serveOurs(kitAgent)),
      newest: true,
    },
    {
      name: `@agentclientprotocol/sdk 2.4.0, over ${profile}`,
      agent: "sdk-2",
      connect: reach(profile, () => serveSdk2(sdk2Agent)),
      newest: true,
    },
  ]),
];

const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

/** Runs a turn and returns the text of its messages with the stop reason. */
async function runTurn(client: AgentConnection, prompt: string): Promise<{ text: string; stopReason: string }> {
  const session = await client.newSession({ cwd: "/work" });
  const turn = session.prompt(prompt);
  let text = "";
  for await (const update of turn) {
    if (update.sessionUpdate === "agent_message_chunk") text += (update as { content: { text: string } }).content.text;
  }
  return { text, stopReason: (await turn.result).stopReason };
}

type Connect = (options?: ConnectAgentOptions) => Promise<AgentConnection>;

/** Starts an agent and connects our client to it. */
function startAgent(file: string): Connect {
  return async (options = {}) => {
    const args = [await program(new URL(`./peers/${file}.ts`, import.meta.url))];
    return connectAgent(spawnAgent({ command: process.execPath, args }), { checkOutgoing: checkV1Client, ...options });
  };
}

/** Serves an agent and connects our client to it. */
function reach(profile: Profile, serve: () => Promise<RemoteServer>): Connect {
  return async (options = {}) => {
    const server = await serve();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const source = profile === "WebSocket" ? webSocketAgent : httpAgent;
    return connectAgent(source(server.address(profile)), { checkOutgoing: checkV1Client, ...options });
  };
}

describe.each(agents)("our client and an agent on $name", ({ agent, connect, newest }) => {
  it("agree on a version and exchange capabilities", async () => {
    await using client = await connect();
    expect(client.protocolVersion).toBe(1);
    expect(client.info?.name).toBe(agent);
    expect(client.offers("agentCapabilities.loadSession")).toBe(true);
    expect(client.offers("agentCapabilities.sessionCapabilities.close")).toBe(newest);
    expect(client.authMethods).toMatchObject([{ id: "token" }]);
    await client.authenticate("token");
    if (newest) await client.logout();
    else await expect(client.logout()).rejects.toMatchObject({ name: "CapabilityError" });
  });

  it("run a turn with updates of every kind, which arrive unchanged", async () => {
    await using client = await connect();
    const session = await client.newSession({ cwd: "/work" });
    expect(session.transcript.snapshot.modes).toEqual(modes);
    const turn = session.prompt("everything");
    const received: IncomingSessionUpdate[] = [];
    for await (const update of turn) received.push(update);
    expect(received).toEqual(everything);
    expect(await turn.result).toMatchObject({ stopReason: "end_turn" });
    expect(session.transcript.snapshot.modes?.currentModeId).toBe("code");
  });

  it("run 300 turns, and every listener finishes before the result settles", async () => {
    await using client = await connect();
    const session = await client.newSession({ cwd: "/work" });
    let received = 0;
    session.onUpdate(async () => {
      await null;
      received += 1;
    });
    for (let n = 1; n <= 300; n += 1) {
      await session.prompt(`say ${n}`).result;
      expect(received).toBe(n);
    }
  });

  it.each([
    ["allow_once", "yes"],
    ["reject_once", "no"],
    [undefined, "no"],
  ] as const)("answer a permission request: %s is %s", async (answer, option) => {
    await using client = await connect({ permissions: async () => answer });
    expect(await runTurn(client, "ask")).toEqual({ text: option, stopReason: "end_turn" });
  });

  it("read and write files", async () => {
    const written: unknown[] = [];
    await using client = await connect({
      files: {
        readTextFile: ({ path, line, limit }) => ({ content: `${path}:${line}:${limit}` }),
        writeTextFile: ({ path, content }) => void written.push([path, content]),
      },
    });
    expect(await runTurn(client, "read /work/a.ts")).toMatchObject({ text: "/work/a.ts:2:1" });
    expect(await runTurn(client, "write /work/b.ts some words")).toMatchObject({ text: "written" });
    expect(written).toEqual([["/work/b.ts", "some words"]]);
  });

  it("run a command in a terminal", async () => {
    const calls: string[] = [];
    await using client = await connect({
      terminals: {
        createTerminal: ({ command, args }) => {
          calls.push(`create ${command} ${args}`);
          return { terminalId: "terminal-1" };
        },
        terminalOutput: ({ terminalId }) => {
          calls.push(`output ${terminalId}`);
          return { output: "ok\n", truncated: false, exitStatus: { exitCode: 0 } };
        },
        waitForTerminalExit: () => {
          calls.push("wait");
          return { exitCode: 0 };
        },
        killTerminal: () => void calls.push("kill"),
        releaseTerminal: () => void calls.push("release"),
      },
    });
    expect(await runTurn(client, "run echo a b")).toMatchObject({ text: "0: ok\n" });
    expect(calls).toEqual(["create echo a,b", "wait", "output terminal-1", "kill", "release"]);
  });

  it("exchange an error for requests that the client does not support", async () => {
    await using client = await connect();
    const session = await client.newSession({ cwd: "/work" });
    await expect(session.prompt("read /work/a.ts").result).rejects.toMatchObject({ name: "RpcError" });
    await expect(session.prompt("say on").result).resolves.toMatchObject({ stopReason: "end_turn" });
  });

  it("cancel a turn, and a permission request in it", async () => {
    await using client = await connect({ permissions: () => new Promise(() => {}) });
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("wait");
    const texts: string[] = [];
    for await (const update of turn) {
      texts.push((update as { content: { text: string } }).content.text);
      turn.cancel();
    }
    expect(texts).toEqual(["waiting", "stopped"]);
    expect(await turn.result).toMatchObject({ stopReason: "cancelled" });

    const asking = session.prompt("ask");
    for await (const update of asking) {
      if (update.sessionUpdate === "tool_call") asking.cancel();
      else expect(update).toMatchObject({ content: { text: "cancelled" } });
    }
    await expect(asking.result).resolves.toMatchObject({ stopReason: expect.stringMatching(/^(end_turn|cancelled)$/) });
    await expect(session.prompt("say on").result).resolves.toMatchObject({ stopReason: "end_turn" });
  });

  it("load a session with its replay, resume, list page by page, delete and close", async () => {
    await using client = await connect();
    const received: IncomingSessionUpdate[] = [];
    const loaded = await client.loadSession(
      { sessionId: "old", cwd: "/work" },
      { onUpdate: (update, { replayed }) => void (replayed && received.push(update)) },
    );
    expect(received).toEqual(history);
    expect(loaded.transcript.snapshot.modes).toEqual(modes);
    await expect(loaded.prompt("say on").result).resolves.toMatchObject({ stopReason: "end_turn" });
    expect((await client.resumeSession({ sessionId: "older", cwd: "/work" })).origin).toBe("resumed");
    const listed: string[] = [];
    for await (const { sessionId } of client.listSessions()) listed.push(sessionId);
    expect(listed).toEqual(["old", "older"]);
    if (newest) {
      await client.deleteSession("older");
    } else {
      await expect(client.deleteSession("older")).rejects.toMatchObject({ name: "CapabilityError" });
    }
    await loaded.close();
    expect(client.session("old")).toBeUndefined();
  });

  it("switch modes and options", async () => {
    await using client = await connect();
    const session = await client.newSession({ cwd: "/work" });
    await session.options.set("mode", "code");
    expect(session.transcript.snapshot.modes?.currentModeId).toBe("code");
    const { sessionId } = session;
    const set = { sessionId, configId: "model", value: "fast" }; // an option that the session has not listed
    expect((await client.peer.request("session/set_config_option", set)).configOptions).toMatchObject([
      { id: "model", currentValue: "fast" },
    ]);
  });

  it("exchange errors with code, message and data", async () => {
    await using client = await connect();
    const session = await client.newSession({ cwd: "/work" });
    await expect(session.prompt("refuse").result).rejects.toMatchObject({
      name: "RpcError",
      code: 1234,
      message: "On holiday",
      data: { until: "Monday" },
    });
  });

  it("call extension methods in both directions", async () => {
    await using client = await connect({
      extensions: { "_example.com/echo": extension(anything, (params) => params) },
    });
    expect(await client.extensionRequest("_example.com/echo", { a: [1] })).toEqual({ a: [1] });
    expect(await runTurn(client, "extension")).toMatchObject({ text: '{"n":1}' });
  });
});

describe.each(agents.filter(({ newest }) => newest))("our client and an agent on $name", ({ connect }) => {
  it("exchange elicitations: a form and a URL", async () => {
    const completed: string[] = [];
    await using client = await connect({
      elicitation: {
        form: ({ message, requestedSchema }) => {
          expect({ message, requestedSchema }).toEqual(form);
          return { action: "accept", content: { name: "Ada" } };
        },
        url: ({ url, elicitationId, message }) => {
          expect({ url, elicitationId, message }).toEqual(page);
          return { action: "decline" };
        },
        onComplete: (id) => completed.push(id),
      },
    });
    expect(await runTurn(client, "form")).toMatchObject({ text: '{"action":"accept","content":{"name":"Ada"}}' });
    expect(await runTurn(client, "page")).toMatchObject({ text: '{"action":"decline"}' });
    expect(completed).toEqual([page.elicitationId]);
  });
});
