// The writing half of the Durable Streams protocol, for the conformance tests of the reading half. Over HTTP, a journal
// is read-only: only agents write it.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryEngine } from "@acp-kit/gateway";
import type { Lease } from "@acp-kit/gateway/engine";
import { createGatewayWith } from "@acp-kit/gateway/internal";
import { serveGateway } from "@acp-kit/gateway/node";
import { readable } from "./readable.js";

/** The request headers that are passed to the server. */
const passed = ["if-none-match", "origin", "access-control-request-method", "access-control-request-headers"] as const;

const scope = { tenant: "", user: "" };

/**
 * A request of its own connection. A server closes an idle connection after some seconds; on a busy machine, the client
 * may be sending its next request at that time.
 */
const alone = { connection: "close" };

interface JournalStream {
  readonly sessionId: string;
  readonly contentType: string;
  readonly lease: Lease;
  length: number;
}

/**
 * A server whose streams are journals. POST appends to a journal as another replica would; GET and HEAD are those of
 * `serveGateway`.
 */
export interface JournalServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a {@link JournalServer}.
 *
 * @param longPollMs - how long a long poll waits.
 */
export async function journalServer(longPollMs: number): Promise<JournalServer> {
  const engine = memoryEngine();
  const gateway = await createGatewayWith({
    engine,
    limits: { maxSessions: 100_000, maxJournals: 1_000 },
    start: () => Promise.reject(new Error("no agent is needed to read")),
  });
  const served = await serveGateway(gateway, { longPollMs, allowedOrigins: ["https://example.com"] });
  const writer = await engine.join({ id: "writer", ttlMs: 3_600_000, onMessage: () => {} });
  const streams = new Map<string, JournalStream>();

  const journalOf = (path: string): string => {
    const id = streams.get(path)?.sessionId ?? "0".repeat(32);
    return `${served.url}/sessions/${id}/journal`;
  };
  const create = async (path: string, contentType: string): Promise<JournalStream> => {
    const sessionId = randomBytes(16).toString("hex");
    await engine.create(scope, { sessionId, cwd: "/", additionalDirectories: [], state: "{}" });
    const acquired = await writer.acquire({ scope, sessionId });
    if (acquired.is !== "held") throw new Error("the session is not ours");
    const stream = { sessionId, contentType, lease: acquired.lease, length: 0 };
    streams.set(path, stream);
    return stream;
  };
  /**
   * Appends each message as the update of an entry, so that readers find it again. Bytes that are not JSON become
   * characters.
   */
  const append = async (stream: JournalStream, body: Buffer): Promise<void> => {
    const isJson = stream.contentType.startsWith("application/json");
    const value: unknown = isJson ? JSON.parse(body.toString("utf8")) : body.toString("latin1");
    const messages = (Array.isArray(value) ? value : [value]).map((update) =>
      JSON.stringify({ type: "update", method: "session/update", params: { sessionId: stream.sessionId, update } }),
    );
    await writer.append(stream.lease, stream.length + 1, messages);
    stream.length += messages.length;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const known = streams.get(pathname);
    const { method = "" } = request;
    if (["GET", "HEAD", "OPTIONS"].includes(method)) {
      const headers = new Headers(alone);
      for (const name of passed) {
        const value = request.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      const reply = await fetch(journalOf(pathname) + search, { method, headers, signal: gone.signal });
      await readable(reply, known?.contentType, response);
      return;
    }
    const body = await bodyOf(request);
    let status = 204;
    if (method === "PUT") {
      status = known === undefined ? 201 : 200;
      const type = request.headers["content-type"]?.toLowerCase() ?? "application/octet-stream";
      const stream = known ?? (await create(pathname, type));
      if (known === undefined && body.length > 0) await append(stream, body);
    } else if (method === "POST" && known !== undefined) {
      await append(known, body);
    } else {
      status = 405;
    }
    const head = await fetch(journalOf(pathname), { method: "HEAD", headers: alone });
    const next = head.headers.get("stream-next-offset") ?? "";
    response.writeHead(status, {
      "stream-next-offset": next,
      "content-type": streams.get(pathname)?.contentType ?? "",
    });
    response.end();
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0; // see `alone`
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await served.close();
      await gateway.close();
      await engine.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
