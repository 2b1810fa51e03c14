import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { type AgentConnection, connectAgent } from "@acp-kit/client";
import { mcpTools } from "@acp-kit/mcp";
import { afterEach, describe, expect, it } from "vitest";
import type { Json, ScriptedAgent } from "../../test/agent.js";
import { localAgent } from "../../test/local-agent.js";
import { serveMcp } from "./serve-mcp.js";

const clients: AgentConnection[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

interface Address {
  readonly url: string;
  readonly token: string;
}

const aborted: string[] = [];
const tools = mcpTools("tools", {
  where: { description: "Returns the folder", run: (_, { session }) => session.cwd },
  slow: {
    description: "Runs until it is aborted",
    run: (_, { signal, progress }) => {
      progress(1, 2, "waiting");
      return new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason.message)));
    },
  },
});

async function opened(): Promise<{ agent: ScriptedAgent; client: AgentConnection; address: Address }> {
  const agent = localAgent({ http: true });
  const client = await connectAgent(agent.client, { mcp: serveMcp(tools) });
  clients.push(client);
  await client.newSession({ cwd: "/a" });
  return { agent, client, address: addressOf(agent.declared()) };
}

function addressOf([server]: readonly Json[]): Address {
  const [header] = (server?.headers ?? []) as { name: string; value: string }[];
  return { url: String(server?.url), token: String(header?.value).replace("Bearer ", "") };
}

function post({ url, token }: Address, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", id: 1, ...(body as object) }),
    ...(signal && { signal }),
  });
}

/** Sends a request as text, with headers that `fetch` does not send. Returns the response. */
async function raw({ url }: Address, lines: readonly string[], body = ""): Promise<string> {
  const socket = connectSocket(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "close");
  return text;
}

const folder = { method: "tools/call", params: { name: "where", arguments: {} } };

describe("mcp.bridge: agents on this machine reach tools over HTTP, and no other program does", () => {
  it("gives each session an address of its own with 128 random bits and a token, and keeps it", async () => {
    const { agent, client, address } = await opened();
    expect(address.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/);
    expect(address.token).toMatch(/^[\w-]{43}$/);
    const { sessionId } = client.sessions[0] as { sessionId: string };
    await client.resumeSession({ sessionId, cwd: "/a" });
    expect(addressOf(agent.declared("session/resume"))).toEqual(address);
    await client.newSession({ cwd: "/b" });
    const other = addressOf(agent.declared());
    expect(other.url).not.toBe(address.url);
    expect(other.token).not.toBe(address.token);
    const texts = [address, other].map(async (each) => (await post(each, folder)).text());
    expect((await Promise.all(texts)).map((text) => /"text":"(.+?)"/.exec(text)?.[1])).toEqual(["/a", "/b"]);
    expect((await post({ ...other, token: address.token }, folder)).status).toBe(401);
  });

  it("answers clients of the era of initialize", async () => {
    const { address } = await opened();
    const call = async (method: string, params: object = {}) =>
      ((await (await post(address, { method, params })).json()) as { result: Json }).result;
    expect(await call("initialize", { protocolVersion: "2025-06-18", capabilities: {} })).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "tools", version: "1.0.0" },
    });
    expect(await call("initialize", { protocolVersion: "1999" })).toMatchObject({ protocolVersion: "2025-11-25" });
    expect(await call("ping")).toEqual({});
    expect(Object.keys(await call("tools/list"))).toEqual(["tools"]);
    expect(await call("tools/call", folder.params)).toEqual({ content: [{ type: "text", text: "/a" }] });
    expect((await post(address, { id: undefined, method: "notifications/initialized" })).status).toBe(202);
    const unknown = await post(address, { method: "resources/list" });
    expect([unknown.status, await unknown.json()]).toMatchObject([200, { error: { code: -32601 } }]);
  });

  it("answers clients of the era without a handshake, whose headers must repeat the body", async () => {
    const { address } = await opened();
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
    const discovered = await post(address, { method: "server/discover", params: { _meta } }, headers);
    expect(await discovered.json()).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    const wrong = await post(address, { method: "tools/list", params: { _meta } }, headers);
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: -32020 } }]);
    const unknown = await post(address, { method: "resources/list", params: { _meta } });
    expect(unknown.status).toBe(404);
  });

  it("reports progress while a call runs, and aborts it when the client cancels or hangs up", async () => {
    const { address } = await opened();
    const accept = { accept: "application/json, text/event-stream" };
    const params = { name: "slow", _meta: { progressToken: 7 } };
    const gone = new AbortController();
    const first = await post(address, { method: "tools/call", params }, accept, gone.signal);
    const reader = first.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('"progressToken":7,"progress":1,"total":2,"message":"waiting"');
    gone.abort();
    await expect.poll(() => aborted).toEqual(["The agent closed the request"]);
    const second = post(address, { id: "two", method: "tools/call", params: { name: "slow" } });
    await expect
      .poll(async () => {
        await post(address, { id: undefined, method: "notifications/cancelled", params: { requestId: "two" } });
        return aborted.length;
      })
      .toBe(2);
    expect(await (await second).json()).toMatchObject({ error: { code: -32800 } });
  });

  it("refuses requests without the token, with a wrong one, or with the token in the URL", async () => {
    const { address } = await opened();
    for (const authorization of ["", address.token, `Basic ${address.token}`, "Bearer ", `Bearer ${"x".repeat(43)}`]) {
      const response = await post(address, folder, { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBeNull();
      expect(await response.text()).not.toContain(address.token);
    }
    const inUrl = { ...address, url: `${address.url}?token=${address.token}` };
    expect((await post(inUrl, folder)).status).toBe(404);
  });

  it("refuses other hosts, pages, repeated headers, other methods and other types, without CORS", async () => {
    const { address } = await opened();
    const { host, pathname } = new URL(address.url);
    const lines = (...more: string[]) => [
      `POST ${pathname} HTTP/1.1`,
      ...more,
      "content-length: 2",
      "connection: close",
    ];
    const token = `authorization: Bearer ${address.token}`;
    expect(await raw(address, lines("host: evil.example", token), "{}")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(address, lines(`host: ${host}`, token, token), "{}")).toMatch(/^HTTP\/1\.1 400 /);
    for (const origin of ["http://evil.example", `http://${host}`, "null"]) {
      const response = await raw(address, lines(`host: ${host}`, token, `origin: ${origin}`), "{}");
      expect(response).toMatch(/^HTTP\/1\.1 403 /);
      expect(response.toLowerCase()).not.toContain("access-control");
    }
    const headers = { authorization: `Bearer ${address.token}` };
    const get = await fetch(address.url, { headers });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await fetch(address.url, { method: "OPTIONS", headers })).status).toBe(405);
    expect((await post(address, folder, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("answers probes for a login with 404 and JSON", async () => {
    const { address } = await opened();
    const { origin } = new URL(address.url);
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/"]) {
      const response = await fetch(origin + path);
      expect([response.status, await response.json()]).toMatchObject([404, { error: {} }]);
    }
  });

  it("refuses bodies that are too large, not JSON, nested too deeply or a batch", async () => {
    const { address } = await opened();
    const { host, pathname } = new URL(address.url);
    const large = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${address.token}`];
    const declared = [...large, "content-type: application/json", "content-length: 99999999", "connection: close"];
    expect(await raw(address, declared, "{")).toMatch(/^HTTP\/1\.1 413 /);
    const chunks = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000).fill(32)),
    });
    const headers = { authorization: `Bearer ${address.token}`, "content-type": "application/json" };
    const endless = fetch(address.url, { method: "POST", headers, body: chunks, duplex: "half" } as RequestInit);
    const status = await endless.then(
      (response) => response.status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(status);
    expect((await post(address, "{")).status).toBe(400);
    expect((await post(address, "[".repeat(100_000) + "]".repeat(100_000))).status).toBe(400);
    expect((await post(address, `{"params":[${"[],".repeat(1_000_000)}0]}`)).status).toBe(400);
    expect((await post(address, "[]")).status).toBe(400);
    expect((await post(address, folder)).status).toBe(200);
  });

  it("closes the address with the session, and the listener with the last address", async () => {
    const { client, address } = await opened();
    const session = client.sessions[0];
    const running = post(address, { method: "tools/call", params: { name: "slow" } });
    running.catch(() => {});
    await expect.poll(async () => (await post(address, { method: "ping" })).status).toBe(200);
    await session?.close();
    await expect(post(address, folder)).rejects.toThrow();
    await expect(running.then((response) => response.json())).rejects.toThrow();
  });

  it("shows no token and no path in the client's messages, diagnostics and errors", async () => {
    const agent = localAgent({ http: true });
    const seen: unknown[] = [];
    const client = await connectAgent(agent.client, {
      mcp: serveMcp(tools),
      tap: (event) => seen.push(event),
      tapSecrets: true,
      onDiagnostic: (diagnostic) => seen.push(diagnostic),
    });
    clients.push(client);
    await client.newSession({ cwd: "/a" });
    const address = addressOf(agent.declared());
    await post(address, { method: "tools/call", params: { name: "missing" } });
    const text = JSON.stringify(seen);
    expect(text).not.toContain(address.token);
    expect(text).not.toContain(new URL(address.url).pathname);
  });
});
