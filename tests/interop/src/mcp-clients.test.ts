import { createAgent } from "@acp-kit/agent";
import { connectAgent } from "@acp-kit/client";
import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { clientTransport, type McpClientTransport } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as AiSdkStdio } from "@ai-sdk/mcp/mcp-stdio";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpTransport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMCPClient as createMCPClient2 } from "ai-sdk-mcp-2";
import { Experimental_StdioMCPTransport as AiSdkStdio2 } from "ai-sdk-mcp-2/mcp-stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { docs } from "./from-server.examples.js";
import { calls, progress, sources } from "./mcp-servers.js";

/** An entry of `mcpServers` in the form of version 1. */
interface Entry {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly command: string;
  readonly args: string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** For a server that the client serves: a transport to it. */
  connect?(): McpClientTransport;
}

/** What the tests do with a client of any library. */
interface Caller {
  readonly hasProgress: boolean;
  tools(): Promise<string[]>;
  call(
    name: string,
    input: object,
    options?: { signal?: AbortSignal; onProgress?: (params: unknown) => void },
  ): Promise<unknown>;
  readme?(): Promise<unknown>;
  close(): Promise<void>;
}

const closings: (() => Promise<void>)[] = [];
const entries: Record<"http" | "stdio" | "acp", Entry[]> = { http: [], stdio: [], acp: [] };

beforeAll(async () => {
  for (const way of ["http", "stdio"] as const) {
    const [near, far] = linkedTransports();
    const declared = new Promise<Entry[]>((resolve) => answer(far, way, resolve));
    const client = await connectAgent(Object.assign(near, { command: "agent" }), { mcp: serveMcp(...sources) });
    closings.push(() => client.close());
    await client.newSession({ cwd: "/work" });
    entries[way] = await declared;
  }
  const [near, far] = linkedTransports();
  const agent = createAgent({
    info,
    mcpTransports: { acp: true },
    newSession({ mcpServers }, { connection }) {
      entries.acp = mcpServers.map(
        (server) => ({ ...server, connect: () => clientTransport(connection, server) }) as never,
      );
      return { sessionId: "s" };
    },
    prompt: async () => {},
  });
  agent.connect(far);
  const client = await connectAgent(near, { mcp: serveMcp(...sources) });
  closings.push(() => client.close());
  await client.newSession({ cwd: "/work" });
});
afterAll(async () => {
  for (const close of closings) await close();
});

/** An agent on this machine that takes servers in one way. */
function answer(agent: Transport, way: "http" | "stdio", declared: (servers: Entry[]) => void): void {
  agent.start({
    message(value) {
      const { id = null, method, params } = value as { id?: number; method?: string; params: { mcpServers: Entry[] } };
      if (method === "session/new") declared(params.mcpServers);
      const mcpCapabilities = { http: way === "http" };
      const result =
        method === "initialize" ? { protocolVersion: 1, agentCapabilities: { mcpCapabilities } } : { sessionId: "s" };
      agent.send({ jsonrpc: "2.0", id, result });
    },
    malformed() {},
    ended() {},
    failed() {},
  });
}

const valuesOf = (list: Entry["env"] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));
const programOf = ({ command, args, env }: Entry) => ({ command, args, env: valuesOf(env) });
const info = { name: "third-party", version: "1.0.0" };

async function official(entry: Entry, mode: "legacy" | { pin: string }): Promise<Caller> {
  const client = new Client(info, { versionNegotiation: { mode } });
  const transport =
    (entry.connect?.() as StdioClientTransport | undefined) ??
    (entry.url === undefined
      ? new StdioClientTransport(programOf(entry))
      : new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: valuesOf(entry.headers) } }));
  await client.connect(transport);
  return {
    hasProgress: true,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, { signal, onProgress } = {}) =>
      client.callTool(
        { name, arguments: input as Record<string, unknown> },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    readme: async () => (await client.readResource({ uri: "docs://readme" })).contents,
    close: () => client.close(),
  };
}

async function before(entry: Entry): Promise<Caller> {
  const client = new Client1(info);
  const transport =
    entry.connect?.() ??
    (entry.url === undefined
      ? new StdioTransport1(programOf(entry))
      : new HttpTransport1(new URL(entry.url), { requestInit: { headers: valuesOf(entry.headers) } }));
  await client.connect(transport);
  return {
    hasProgress: true,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, { signal, onProgress } = {}) =>
      client.callTool({ name, arguments: input as Record<string, unknown> }, undefined, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      }),
    readme: async () => (await client.readResource({ uri: "docs://readme" })).contents,
    close: () => client.close(),
  };
}

interface AiSdkClient {
  tools(): Promise<Record<string, { execute?: unknown }>>;
  close(): Promise<void>;
}

async function aiSdk(client: AiSdkClient): Promise<Caller> {
  const tools = await client.tools();
  return {
    hasProgress: false,
    tools: async () => Object.keys(tools),
    call: async (name, input, { signal } = {}) => {
      const { execute } = tools[name] as { execute: (input: object, options: object) => Promise<unknown> };
      return execute(input, { toolCallId: "1", messages: [], ...(signal && { abortSignal: signal }) });
    },
    close: () => client.close(),
  };
}

const httpOf = ({ url, headers }: Entry) => ({ type: "http" as const, url, headers: valuesOf(headers) });
const clients: Record<string, (entry: Entry) => Promise<Caller>> = {
  "the official client 2.4.0 in the era without a handshake": (entry) => official(entry, { pin: "2026-07-28" }),
  "the official client 2.4.0 in the era of initialize": (entry) => official(entry, "legacy"),
  "the official client 1.32.2": before,
  "@ai-sdk/mcp 1": async (entry) =>
    aiSdk(
      (await createMCPClient({
        transport:
          (entry.connect?.() as never) ?? (entry.url === undefined ? new AiSdkStdio(programOf(entry)) : httpOf(entry)),
      })) as AiSdkClient,
    ),
  "@ai-sdk/mcp 2": async (entry) =>
    aiSdk(
      (await createMCPClient2({
        transport:
          (entry.connect?.() as never) ?? (entry.url === undefined ? new AiSdkStdio2(programOf(entry)) : httpOf(entry)),
      })) as AiSdkClient,
    ),
};

it("the example of the README is a server", async () => {
  const { signal } = new AbortController();
  const handler = docs.open({ cwd: "/work", id: Promise.resolve("s"), signal }, () => {});
  const params = { name: "search", arguments: { text: "acp" } };
  expect(await handler({ method: "tools/call", params, signal, notify: () => {} })).toMatchObject({
    result: { content: [{ text: "Nothing in /work mentions acp." }] },
  });
});

const cases = Object.keys(clients).flatMap((client) =>
  (["http", "stdio", "acp"] as const).map((way) => ({ client, way })),
);

describe("mcp.third-party: clients of MCP in both eras call the same server, written in three ways", () => {
  it.each(cases)("$client over $way", async ({ client, way }) => {
    for (const [index, entry] of entries[way].entries()) {
      const { name } = entry;
      const caller = await (clients[client] as (typeof clients)[string])(entry);
      expect([name, await caller.tools()]).toEqual([name, ["add", "where", "refuse", "wait", "steps"]]);
      expect(await caller.call("add", { a: 1, b: 2 })).toMatchObject({ content: [{ type: "text", text: "3" }] });
      expect(await caller.call("where", {})).toMatchObject({ content: [{ text: "/work" }] });
      expect(await caller.call("refuse", {})).toMatchObject({ isError: true, content: [{ text: "Not today." }] });
      const steps = deferred<unknown>();
      progress.seen = caller.hasProgress ? steps.promise : Promise.resolve();
      expect(await caller.call("steps", {}, { onProgress: steps.resolve })).toMatchObject({
        content: [{ text: "done" }],
      });
      if (caller.hasProgress) expect(await steps.promise).toMatchObject({ progress: 1, total: 2, message: "half" });
      if (caller.readme !== undefined && index > 0)
        expect(await caller.readme()).toMatchObject([{ text: "The readme of /work" }]);
      const count = calls.begun.length;
      const controller = new AbortController();
      const waiting = caller.call("wait", {}, { signal: controller.signal });
      waiting.catch(() => {});
      await expect.poll(() => calls.begun.slice(count)).toEqual([name]);
      controller.abort();
      await expect(waiting).rejects.toThrow();
      await caller.close();
      await expect.poll(() => calls.aborted.slice(count)).toEqual([name]);
    }
  });
});
