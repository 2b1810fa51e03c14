import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connectAgent, linkedTransports } from "@acp-kit/client";
import type { McpSource } from "@acp-kit/mcp";
import { serveMcp } from "@acp-kit/mcp/node";
import { onTestFinished } from "vitest";

/** An entry of `mcpServers`. */
export type Entry = Record<string, unknown> & { readonly name: string };

/** Serves a source on this machine until the end of the test, and returns the entry that an agent gets. */
export async function entryOf(source: McpSource, way: "http" | "stdio"): Promise<Entry> {
  const [near, far] = linkedTransports();
  const entries = new Promise<Entry[]>((resolve) => {
    far.start({
      message(value) {
        const { id = null, method, params } = value as { id?: number; method: string; params: { mcpServers: Entry[] } };
        if (method === "session/new") resolve(params.mcpServers);
        const agentCapabilities = { mcpCapabilities: { http: way === "http" } };
        const result = method === "initialize" ? { protocolVersion: 1, agentCapabilities } : { sessionId: "s" };
        far.send({ jsonrpc: "2.0", id, result });
      },
      malformed() {},
      ended() {},
      failed() {},
    });
  });
  const client = await connectAgent(Object.assign(near, { command: "agent" }), { mcp: serveMcp(source) });
  onTestFinished(() => client.close());
  await client.newSession({ cwd: "/work" });
  const [entry] = await entries;
  return entry as Entry;
}

/** Serves a server that is at an HTTP address also over SSE, the transport before. */
export async function overSse({ name, url, headers }: Entry): Promise<Entry> {
  const listed = headers as readonly { readonly name: string; readonly value: string }[];
  const sent = {
    ...Object.fromEntries(listed.map((one) => [one.name, one.value])),
    "content-type": "application/json",
  };
  let events: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      events = response.writeHead(200, { "content-type": "text/event-stream" });
      events.write("event: endpoint\ndata: /post\n\n");
      return;
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    response.writeHead(202).end();
    const reply = await fetch(String(url), { method: "POST", headers: sent, body });
    const text = await reply.text();
    if (text !== "") events?.write(`event: message\ndata: ${text}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { type: "sse", name, url: `http://127.0.0.1:${port}/sse`, headers: [] };
}
