import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { readRecording } from "@acp-kit/testing/recording";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { everything } from "../../test/in-memory.js";
import { marksOf } from "./export/inspector-html.js";
import { type Inspector, inspectAgent, inspectProxy, inspectRecording } from "./index.js";
import { readCommand } from "./page/page-command.js";
import { inspect } from "./readme.examples.js";

/** A page without a browser: what it receives, and a function that sends commands. */
async function connect(inspector: Inspector): Promise<{
  readonly send: (command: object) => void;
  readonly entry: (text: string) => Promise<string>;
  readonly message: (text: string) => Promise<string>;
}> {
  const { host, hash } = new URL(inspector.url);
  const protocols = ["acp-inspector", `acp.bearer.${Buffer.from(hash.slice(1)).toString("base64url")}`];
  const socket = new WebSocket(`ws://${host}/wire`, protocols);
  const received: string[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    received.push(...String(data).split("\n"));
    for (const check of waiting) check();
  });
  await once(socket, "open");
  onTestFinished(() => socket.terminate());
  const found = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        const line = received.find((each) => each.includes(text));
        if (line === undefined) return;
        waiting.delete(check);
        resolve(line);
      };
      waiting.add(check);
      check();
    });
  return { send: (command) => socket.send(JSON.stringify(command)), entry: found, message: found };
}

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
  it("passes messages of the page to the agent, and shows the page everything", async () => {
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

  it("shows a page that connects later everything from the first message on", async () => {
    const inspector = await agent();
    await (await connect(inspector)).entry('"agentCapabilities"');
    await (await connect(inspector)).entry('"method":"initialize"');
  });

  it("says what is wrong with a message before it leaves, and marks what is wrong on the wire", async () => {
    const page = await connect(await agent());
    page.send({ do: "check", number: 7, message: { jsonrpc: "2.0", id: 1, method: "session/prompt", params: {} } });
    expect(JSON.parse(await page.message('"checked"'))).toMatchObject({
      number: 7,
      faults: [expect.stringContaining("params")],
    });
    page.send({ do: "send", message: { jsonrpc: "2.0", id: 90, method: "session/new", params: { cwd: 1 } } });
    expect(await page.message('"kind":"schema"')).toContain("params");
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
  it("serves nothing but the empty page without the token, and nothing to other hosts and origins", async () => {
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
    expect(await statusOf(url, "/other", { ...upgrade, "sec-websocket-protocol": bearer })).toBe(404);
  });

  it("closes the connection of a page whose message is no command", async () => {
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

  it("ends with its inspector, also twice", async () => {
    const inspector = await agent();
    await inspector.close();
    await inspector.close();
    await expect(statusOf(inspector.url, "/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("what is inspected", () => {
  it("is another connection, of which the page only sees the messages", async () => {
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

  it("is a recording, with its marks", async () => {
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

  it("is an agent that a program starts: the example of the README", async () => {
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
  ])("is not %s", (text) => {
    expect(readCommand(text)).toBeUndefined();
  });
});
