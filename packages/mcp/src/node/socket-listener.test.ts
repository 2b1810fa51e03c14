import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { createInterface } from "node:readline";
import { type AgentConnection, connectAgent, type Diagnostic } from "@acp-kit/client";
import { mcpTools } from "@acp-kit/mcp";
import { spawnAgent } from "@acp-kit/stdio/node";
import { v2 } from "@acp-kit/v2/client";
import { afterEach, describe, expect, it } from "vitest";
import { type Json, ScriptedAgent } from "../../test/agent.js";
import { localAgent } from "../../test/local-agent.js";
import { serveMcp } from "./serve-mcp.js";

const clients: AgentConnection[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const aborted: string[] = [];
const tools = mcpTools("tools", {
  where: { description: "Returns the folder", run: (_, { session }) => session.cwd },
  slow: {
    description: "Runs until it is aborted",
    run: (_, { signal, progress }) => {
      progress(1);
      return new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason.message)));
    },
  },
});

async function opened(capabilities: Json = {}) {
  const agent = localAgent(capabilities);
  const diagnostics: Diagnostic[] = [];
  const client = await connectAgent(agent.client, {
    mcp: serveMcp(tools),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  clients.push(client);
  const session = await client.newSession({ cwd: "/a" });
  return { agent, client, session, diagnostics, server: agent.declared()[0] as Json };
}

function environment(server: Json): Record<string, string> {
  const env = server.env as { name: string; value: string }[];
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

/** Starts the program as an agent does, and returns functions to talk to it. */
function start(server: Json) {
  const child = spawn(String(server.command), server.args as string[], { env: environment(server) });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const read = async (): Promise<Json> => JSON.parse((await lines.next()).value as string) as Json;
  const request = async (method: string, params: object = {}): Promise<Json> => {
    id += 1;
    send({ id, method, params });
    return read();
  };
  return { child, send, read, request };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

describe("mcp.shim: agents that start programs only reach tools through one", () => {
  it("serves both eras over a program that carries bytes", async () => {
    const { server } = await opened();
    const { child, request } = start(server);
    expect(await request("initialize", { protocolVersion: "2025-11-25" })).toMatchObject({
      result: { protocolVersion: "2025-11-25", serverInfo: { name: "tools" } },
    });
    expect(await request("tools/call", { name: "where" })).toEqual({
      ...{ jsonrpc: "2.0", id: 2 },
      result: { content: [{ type: "text", text: "/a" }] },
    });
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    expect(await request("server/discover", { _meta })).toMatchObject({
      result: { supportedVersions: ["2026-07-28"] },
    });
    child.stdin.end();
    await ended(child);
    expect(child.exitCode).toBe(0);
  });

  it("shows the token neither in the arguments of the program nor in the list of processes", async () => {
    const { server } = await opened();
    const { ACP_KIT_MCP_TOKEN: token = "" } = environment(server);
    expect(token).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(JSON.stringify([server.command, server.args])).not.toContain(token.slice(0, 22));
    const { child, request } = start(server);
    await request("ping");
    if (process.platform === "linux") {
      const list = execFileSync("ps", ["-o", "args=", "-p", String(child.pid)], { encoding: "utf8" });
      expect(list).toContain("ACP_KIT_MCP_TOKEN");
      for (const part of token.split(".")) expect(list).not.toContain(part);
    }
    child.kill();
    await ended(child);
  });

  it("cancels a call by its notification, and all calls when the program ends", async () => {
    const { server } = await opened();
    const { child, send, read } = start(server);
    send({ id: "a", method: "tools/call", params: { name: "slow", _meta: { progressToken: "p" } } });
    expect(await read()).toMatchObject({ method: "notifications/progress", params: { progressToken: "p" } });
    send({ method: "notifications/cancelled", params: { requestId: "a" } });
    expect(await read()).toMatchObject({ id: "a", error: { code: -32800 } });
    send({ id: "b", method: "tools/call", params: { name: "slow", _meta: { progressToken: "p" } } });
    await read();
    child.kill("SIGKILL");
    await expect.poll(() => aborted).toEqual(["The agent cancelled the call", "The agent disconnected"]);
  });

  it("ends when the session or the connection ends, and leaves no socket behind", async () => {
    const { server, session } = await opened();
    const { child, request } = start(server);
    await request("ping");
    const { ACP_KIT_MCP_SOCKET: socket = "" } = environment(server);
    await session.close();
    await ended(child);
    expect(child.exitCode).toBe(0);
    await expect.poll(() => existsSync(socket)).toBe(false);
    const late = start(server);
    await ended(late.child);
    expect(late.child.exitCode).toBe(1);
  });

  it("refuses connections without the token, and lines that are not JSON", async () => {
    const { server } = await opened();
    const { ACP_KIT_MCP_SOCKET: path = "", ACP_KIT_MCP_TOKEN: token = "" } = environment(server);
    const wrong = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const line of [wrong, "x".repeat(66), "__proto__.x".padEnd(66), "\0".repeat(66)]) {
      const socket = connectSocket(path);
      socket.write(`${line}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
      const texts: string[] = [];
      socket.on("data", (data) => texts.push(String(data)));
      socket.on("error", () => {});
      await once(socket, "close");
      expect(texts).toEqual([]);
    }
    const { child, read, request } = start(server);
    child.stdin.write("no json\n[]\n");
    expect(await read()).toMatchObject({ error: { code: -32700 } });
    expect(await read()).toMatchObject({ error: { code: -32600 } });
    expect(await request("ping")).toMatchObject({ result: {} });
    child.stdin.end();
    await ended(child);
  });
});

describe("mcp.choice: an agent gets tools in the best way that it supports", () => {
  it.each([
    ["acp", { acp: true, http: true }, { type: "acp" }],
    ["http", { acp: false, http: true }, { type: "http" }],
    ["stdio", {}, { command: process.execPath }],
    ["stdio", { sse: true }, { command: process.execPath }],
  ])("%s for %j", async (_, capabilities, expected) => {
    const { server, diagnostics } = await opened(capabilities);
    expect(server).toMatchObject({ name: "tools", ...expected });
    expect(diagnostics).toEqual([]);
  });

  it("gives an agent elsewhere no address of this machine, and reports what it left out", async () => {
    const agent = new ScriptedAgent({ http: true });
    const diagnostics: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const client = await connectAgent(agent.client, { mcp: serveMcp(tools), onDiagnostic });
    clients.push(client);
    await client.newSession({ cwd: "/a" });
    expect(agent.declared()).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: "mcp_server_left_out", message: expect.stringContaining("does not run on this machine") },
    ]);
  });

  it.each([
    ["node", 1],
    ["/usr/local/bin/my-agent", 1],
    ["ssh", 0],
    ["/usr/bin/docker", 0],
    ["C:\\Windows\\System32\\wsl.exe", 0],
  ])("an agent that %s starts gets %d addresses of this machine", async (command, count) => {
    const agent = localAgent({ http: true }, command);
    const client = await connectAgent(agent.client, { mcp: serveMcp(tools) });
    clients.push(client);
    await client.newSession({ cwd: "/a" });
    expect(agent.declared()).toHaveLength(count);
    const transport = spawnAgent({ command, signal: AbortSignal.abort() });
    expect(transport.command).toBe(command);
    await transport.close();
  });

  it.each([
    [{ http: {}, stdio: {} }, [{ type: "http" }]],
    [{ stdio: {} }, [{ type: "stdio", command: process.execPath }]],
    [{}, []],
  ])("version 2 with %j", async (mcp, expected) => {
    const agent = localAgent({});
    agent.results.initialize = () => ({
      ...{ protocolVersion: 2, info: { name: "a", version: "1" } },
      capabilities: { session: { mcp } },
    });
    const info = { name: "c", version: "1" };
    const client = await connectAgent(agent.client, { mcp: serveMcp(tools), info, versions: [v2] });
    clients.push(client);
    await client.newSession({ cwd: "/a" });
    expect(agent.declared()).toMatchObject(expected);
  });

  it("holds later messages until the address exists, and keeps their order", async () => {
    const agent = localAgent({ http: true });
    const client = await connectAgent(agent.client, { mcp: serveMcp(tools) });
    clients.push(client);
    const { connection } = client.peer;
    const opening = connection.request("session/new", { cwd: "/a", mcpServers: [] });
    const notified = connection.notify("_vendor/after", {});
    await opening;
    await notified;
    await expect
      .poll(() => agent.received.map(({ method }) => method))
      .toEqual([...["initialize", "session/new", "_vendor/after"]]);
  });
});
