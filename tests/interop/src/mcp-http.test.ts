import { connectAgent } from "@acp-kit/client";
import { linkedTransports } from "@acp-kit/jsonrpc";
import { fromMcpServer } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

type Json = Record<string, unknown>;

function createServer(): McpServer {
  const server = new McpServer({ name: "desk", version: "1.0.0" });
  const input = { inputSchema: z.object({ a: z.number(), b: z.number() }) };
  server.registerTool("add", { description: "Adds numbers", ...input }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  server.registerTool("refuse", { description: "Refuses" }, () => ({
    content: [{ type: "text", text: "Not today." }],
    isError: true,
  }));
  return server;
}

/** The handler of the official library, which needs no server: an HTTP server only calls it. */
const official = createMcpHandler(createServer);
const client = { url: "", authorization: "", close: async () => {} };

beforeAll(async () => {
  const [near, far] = linkedTransports();
  const declared = new Promise<Json>((resolve) => {
    far.start({
      message(value) {
        const { id, method, params } = value as { id: number; method: string; params: { mcpServers: Json[] } };
        if (method === "session/new") resolve(params.mcpServers[0] as Json);
        const agentCapabilities = { mcpCapabilities: { http: true } };
        const result = method === "initialize" ? { protocolVersion: 1, agentCapabilities } : { sessionId: "s" };
        far.send({ jsonrpc: "2.0", id, result });
      },
      malformed() {},
      ended() {},
      failed() {},
    });
  });
  const agent = Object.assign(near, { command: "agent" });
  const connection = await connectAgent(agent, { mcp: serveMcp(fromMcpServer("desk", createServer)) });
  await connection.newSession({ cwd: "/work" });
  const { url, headers } = (await declared) as { url: string; headers: { value: string }[] };
  Object.assign(client, { url, authorization: headers[0]?.value, close: () => connection.close() });
});
afterAll(() => client.close());

/**
 * What the specification fixes of a response: the status, the header `Allow`, and the messages without texts of errors.
 */
async function fixedPart(response: Response): Promise<Json> {
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get("content-type")?.split(";")[0] ?? "none";
  expect(["application/json", "text/event-stream", "none"]).toContain(type);
  const texts = type === "text/event-stream" ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [text];
  const messages = texts.filter(Boolean).map((each) => withoutText(JSON.parse(each as string), status));
  return { status, allow: headers.get("allow"), hasBody: type !== "none", messages };
}

/** Of errors, the code and those data are fixed that name revisions; nothing, if the status refuses what HTTP has. */
function withoutText({ error, ...message }: Json, status: number): Json {
  if (error === undefined) return message;
  if (status === 405 || status === 415) return {};
  const { code, data } = error as Json;
  return { ...message, error: { code, ...(code === -32022 && { data }) } };
}

async function both(init: RequestInit): Promise<{ ours: Json; theirs: Json }> {
  const headers = { authorization: client.authorization, ...(init.headers as Record<string, string>) };
  const request = { ...init, headers };
  const [ours, theirs] = [await fetch(client.url, request), await official.fetch(new Request(client.url, request))];
  return { ours: await fixedPart(ours), theirs: await fixedPart(theirs) };
}

const accept = "application/json, text/event-stream";
const json = { "content-type": "application/json", accept };
const post = (message: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { ...json, ...headers },
  body: typeof message === "string" ? message : JSON.stringify(message),
});
const legacy = (method: string, params?: object): RequestInit =>
  post({ jsonrpc: "2.0", id: 1, method, params }, { "mcp-protocol-version": "2025-11-25" });
const revision = "io.modelcontextprotocol/protocolVersion";
const _meta = {
  [revision]: "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};
const modern = (method: string, params: object = {}, headers: Record<string, string> = {}): RequestInit => {
  const names = "name" in params ? { "mcp-name": String(params.name) } : {};
  const mirrors = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...names, ...headers };
  return post({ jsonrpc: "2.0", id: 1, method, params: { _meta, ...params } }, mirrors);
};
const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

const add = { name: "add", arguments: { a: 1, b: 2 } };
const other = { _meta: { ..._meta, [revision]: "2030-01-01" } };

/** Requests to which both servers respond the same. */
const same: readonly (readonly [name: string, request: RequestInit])[] = [
  ["initialize", post({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })],
  ["a notification", post({ jsonrpc: "2.0", method: "notifications/initialized" })],
  ["ping", legacy("ping")],
  ["a list, with a handshake", legacy("tools/list", {})],
  ["a call, with a handshake", legacy("tools/call", add)],
  ["a result that is an error, with a handshake", legacy("tools/call", { name: "refuse", arguments: {} })],
  ["a call of a missing tool, with a handshake", legacy("tools/call", { name: "missing", arguments: {} })],
  ["an invalid input, with a handshake", legacy("tools/call", { name: "add", arguments: { a: "1" } })],
  ["an unknown method, with a handshake", legacy("unknown/method", {})],
  ["server/discover", modern("server/discover")],
  ["a list", modern("tools/list")],
  ["a call", modern("tools/call", add)],
  ["a result that is an error", modern("tools/call", { name: "refuse", arguments: {} })],
  ["a call of a missing tool", modern("tools/call", { name: "missing", arguments: {} })],
  [
    "a call of a tool with a name that is encoded in the header",
    modern("tools/call", { name: "é" }, { "mcp-name": "=?base64?w6k=?=" }),
  ],
  ["an invalid input", modern("tools/call", { name: "add", arguments: { a: "1" } })],
  ["an unknown method", modern("unknown/method")],
  ["an unknown revision", modern("tools/list", other, { "mcp-protocol-version": "2030-01-01" })],
  ["another revision in the header", modern("tools/list", {}, { "mcp-protocol-version": "2025-11-25" })],
  ["another method in the header", modern("tools/list", {}, { "mcp-method": "tools/call" })],
  ["another name in the header", modern("tools/call", add, { "mcp-name": "refuse" })],
  [
    "a revision in the header only",
    post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "2026-07-28" }),
  ],
  ["no JSON", post("{")],
  ["no object", post("1")],
  ["an empty batch", post([])],
  ["no message", post({})],
  ["an id that is null", post({ jsonrpc: "2.0", id: null, method: "ping" })],
  ["a response", post({ jsonrpc: "2.0", id: 1, result: {} })],
  ["text", { method: "POST", headers: { accept, "content-type": "text/plain" }, body: "{}" }],
  ["no type", { method: "POST", headers: { accept }, body: new Uint8Array([123, 125]) }],
  ["GET", { method: "GET", headers: { accept: "text/event-stream" } }],
  ["DELETE", { method: "DELETE" }],
  ["PUT", { method: "PUT", headers: json, body: "{}" }],
];

/** Requests that the official handler refuses, and that ours serves: clients of agents send them. */
const tolerated: readonly (readonly [name: string, status: number, request: RequestInit])[] = [
  ["no headers that repeat the body", 400, post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } })],
  ["accept with JSON only", 406, post({ jsonrpc: "2.0", id: 1, method: "ping" }, { accept: "application/json" })],
  ["accept with neither", 406, post({ jsonrpc: "2.0", id: 1, method: "ping" }, { accept: "*/*" })],
];

describe("mcp.official-handler: over HTTP, agents get what the handler of the official library responds", () => {
  it.each(same)("%s", async (_, request) => {
    const { ours, theirs } = await both(request);
    expect(ours).toEqual(theirs);
  });

  it.each(tolerated)("%s is served", async (_, status, request) => {
    const { ours, theirs } = await both(request);
    expect([ours.status, theirs.status]).toEqual([200, status]);
  });
});
