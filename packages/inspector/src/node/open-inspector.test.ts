import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { readRecording } from "@acp-kit/testing/recording";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { connect } from "../../test/connect-page.js";
import { everything } from "../../test/in-memory.js";
import { marksOf } from "./export/inspector-html.js";
import { type Inspector, inspectAgent, inspectProxy, inspectRecording } from "./index.js";
import { readCommand } from "./page/page-command.js";
import { inspect } from "./readme.examples.js";
import { LiveAgent } from "./wire/live-agent.js";

async function agent(): Promise<Inspector> {
  const inspector = await inspectAgent({ open: everything, cwd: "/" });
  onTestFinished(() => inspector.close());
  return inspector;
}

/** The status of a request to the inspector with these headers. */
function statusOf(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.end();
  });
}

describe("an inspector", () => {
  it("sends messages of the page to the agent, and sends every message to the page", async () => {
    const inspector = await agent();
    const page = await connect(inspector);
    await page.entry('"agentCapabilities"');
    page.send({ do: "request", method: "session/new", params: { cwd: "/", mcpServers: [] } });
    await page.entry('"sessionId"');
    page.send({ do: "send", message: { jsonrpc: "2.0", id: "mine", method: "_nothing/such" } });
    expect(await page.entry('"id":"mine","error"')).toContain("-32601");
    const { entries } = readRecording(inspector.recording());
    expect(entries.some((entry) => entry.kind === "peers")).toBe(true);
  });

  it("sends all messages from the first on to a page that connects later", async () => {
    const inspector = await agent();
    await (await connect(inspector)).entry('"agentCapabilities"');
    await (await connect(inspector)).entry('"method":"initialize"');
  });

  it("checks a message before it is sent, and marks violations on the wire", async () => {
    const page = await connect(await agent());
    page.send({ do: "check", number: 7, message: { jsonrpc: "2.0", id: 1, method: "session/prompt", params: {} } });
    expect(JSON.parse(await page.message('"checked"'))).toMatchObject({
      number: 7,
      faults: [expect.stringContaining("params")],
    });
    page.send({ do: "send", message: { jsonrpc: "2.0", id: 90, method: "session/new", params: { cwd: 1 } } });
    expect(await page.message('"kind":"schema"')).toContain("params");
  });

  it.each([
    ["", "The method is empty. Choose one in the list"],
    [
      "fs/read_text_file",
      '"fs/read_text_file" is sent by the agent, not by the client. The client only responds to it.',
    ],
    ["session/promt", '"session/promt" is not a method of the protocol. Check the spelling.'],
  ])("explains why a client can't send the method %j", async (method, explanation) => {
    const page = await connect(await agent());
    page.send({ do: "check", number: 7, message: { jsonrpc: "2.0", id: 1, method } });
    const { faults } = JSON.parse(await page.message('"checked"'));
    expect(faults).toEqual([expect.stringContaining(explanation)]);
  });

  it("restarts and stops the agent", async () => {
    const inspector = await agent();
    const page = await connect(inspector);
    await page.entry('"agentCapabilities"');
    page.send({
      do: "restart",
      initialize: { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "again", version: "1" } },
    });
    await page.entry('"again"');
    page.send({ do: "stop" });
    await page.message('"It was stopped."');
  });

  it("reports an agent that can't be started", async () => {
    const inspector = await inspectAgent({ open: () => Promise.reject(new Error("no such command")) });
    onTestFinished(() => inspector.close());
    await (await connect(inspector)).message('"reason":"no such command"');
  });

  it("serves files inside the session's folder", async () => {
    const here = fileURLToPath(new URL(".", import.meta.url));
    const inspector = await inspectAgent({ open: everything, cwd: here });
    onTestFinished(() => inspector.close());
    const page = await connect(inspector);
    await page.entry('"agentCapabilities"');
    page.send({ do: "request", method: "session/new", params: { cwd: here, mcpServers: [] } });
    const { sessionId } = JSON.parse(await page.entry('"id":2,"result"')).message.result;
    const read = (path: string): void =>
      page.send({
        do: "request",
        method: "session/prompt",
        params: { sessionId, prompt: [{ type: "text", text: `/read ${path}` }] },
      });
    read(`${here}index.ts`);
    await page.entry("inspectorInitialize");
  });
});

describe("the server of an inspector", () => {
  it("serves only the empty page without the token, and nothing to other hosts and origins", async () => {
    const { url } = await agent();
    const token = new URL(url).hash.slice(1);
    expect(await statusOf(url, "/")).toBe(200);
    expect(await statusOf(url, "/page.js")).toBe(200);
    expect(await statusOf(url, "/../package.json")).toBe(404);
    expect(await statusOf(url, "/schema.json")).toBe(401);
    expect(await statusOf(url, "/schema.json", { authorization: "Bearer wrong" })).toBe(401);
    expect(await statusOf(url, "/schema.json", { authorization: `Bearer ${token}` })).toBe(200);
    expect(await statusOf(url, "/trace.html", { authorization: `Bearer ${token}` })).toBe(200);
    expect(await statusOf(url, "/", { host: "evil.example" })).toBe(403);
    expect(await statusOf(url, "/", { origin: "https://evil.example" })).toBe(403);
    const upgrade = {
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const bearer = `acp-inspector, acp.bearer.${Buffer.from(token).toString("base64url")}`;
    expect(await statusOf(url, "/wire", upgrade)).toBe(401);
    expect(await statusOf(url, "/wire", { ...upgrade, "sec-websocket-protocol": bearer })).toBe(101);
    expect(
      await statusOf(url, "/wire", { ...upgrade, "sec-websocket-protocol": bearer, origin: "https://evil.example" }),
    ).toBe(403);
    expect(await statusOf(url, "//", upgrade)).toBe(404);
    expect(await statusOf(url, "http://user:password@127.0.0.1/wire", upgrade)).toBe(404);
    expect(await statusOf(url, "/other", { ...upgrade, "sec-websocket-protocol": bearer })).toBe(404);
  });

  it("closes the connection of a page that sends an invalid command", async () => {
    const inspector = await agent();
    const { host, hash } = new URL(inspector.url);
    const socket = new WebSocket(`ws://${host}/wire`, [
      `acp.bearer.${Buffer.from(hash.slice(1)).toString("base64url")}`,
      "acp-inspector",
    ]);
    await once(socket, "open");
    socket.send("{}");
    expect((await once(socket, "close"))[0]).toBe(1007);
  });

  it("rejects if its port is taken, and leaves nothing open", async () => {
    const { port } = new URL((await agent()).url);
    const close = vi.spyOn(LiveAgent.prototype, "close");
    const open = vi.fn(everything);
    await expect(inspectAgent({ open, port: Number(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(open).not.toHaveBeenCalled();
    expect(close).toHaveBeenCalledOnce();
    close.mockRestore();
  });

  it("closes with its inspector, and a second close has no effect", async () => {
    const inspector = await agent();
    await inspector.close();
    await inspector.close();
    await expect(statusOf(inspector.url, "/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("an inspector shows", () => {
  it("a connection of another client, on which the page can't send messages", async () => {
    const inspector = await inspectProxy();
    onTestFinished(() => inspector.close());
    const page = await connect(inspector);
    inspector.recorder.message("client", {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: 1 },
    });
    await page.entry('"method":"initialize"');
    page.send({ do: "request", method: "session/new", params: {} });
    inspector.recorder.stderr("after it");
    await page.entry("after it");
    expect(inspector.recording()).not.toContain("session/new");
  });

  it("a recording, with its marks", async () => {
    const lines = [
      { acpRecording: 1, startedAt: "2026-01-01T00:00:00.000Z", recordedIn: "between", redacted: {} },
      {
        t: 1,
        kind: "message",
        from: "client",
        message: { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
      },
      { t: 2, kind: "message", from: "agent", message: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "one" } } },
      { t: 3, kind: "noise", from: "agent", text: "Welcome!" },
      { t: 4, kind: "message", from: "agent", message: { jsonrpc: "2.0", id: 5, result: {} } },
    ];
    const recording = readRecording(lines.map((line) => JSON.stringify(line)).join("\n"));
    const marks = marksOf(recording);
    expect(marks.filter(({ kind }) => kind === "schema").map(({ entry, id }) => [entry, id])).toEqual([
      [1, "result"],
      [2, "json"],
      [3, "id"],
    ]);
    expect(marks.some(({ kind, entry }) => kind === "rule" && entry === 1)).toBe(true);
    const inspector = await inspectRecording(recording);
    onTestFinished(() => inspector.close());
    await (await connect(inspector)).message('"kind":"rule"');
  });

  it("an agent that a program starts: the example of the README", async () => {
    const inspector = await inspect(process.execPath, ["-e", "process.stdin.resume()"]);
    onTestFinished(() => inspector.close());
    await (await connect(inspector)).entry('"event":"started"');
  });
});

describe("a command of the page", () => {
  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"do":"other"}',
    '{"do":"request"}',
    '{"do":"check"}',
    '{"do":"access","setting":{}}',
  ])("is invalid: %s", (text) => {
    expect(readCommand(text)).toBeUndefined();
  });
});
