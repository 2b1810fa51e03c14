import { clientTransport, type McpClientTransport } from "@acp-kit/mcp";
import type { ToolSet } from "ai";
import type { SessionMcpSetup } from "../agent/session-mcp.js";
import { CancellableTransport } from "./cancellable-transport.js";

/** A client of `@ai-sdk/mcp`, version 1 or 2. */
export interface ConnectedServer {
  readonly name: string;
  readonly tools: ToolSet;
  close(): Promise<void>;
}

interface McpClient {
  tools(): Promise<ToolSet>;
  close(): Promise<void>;
}

/** The members of `@ai-sdk/mcp` that both major versions have. */
interface Library {
  createMCPClient(options: { readonly transport: unknown; readonly name: string }): Promise<McpClient>;
}

type Server = SessionMcpSetup["mcpServers"][number];

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Connects to a server of a session, and lists its tools. If `signal` aborts meanwhile, the connection is ended. */
export async function connectServer(
  server: Server,
  setup: Pick<SessionMcpSetup, "cwd" | "connection">,
  signal: AbortSignal,
): Promise<ConnectedServer> {
  const transport = await transportOf(server, setup);
  const { createMCPClient } = (await import("@ai-sdk/mcp")) as unknown as Library;
  const connecting = createMCPClient({ transport, name: "acp-kit" });
  const end = async (): Promise<void> => {
    const client = await connecting.catch(() => undefined);
    await (client ?? (transport as Partial<McpClient>)).close?.();
  };
  try {
    const tools = await untilAborted(
      signal,
      connecting.then((client) => client.tools()),
    );
    return { name: String(server.name), tools, close: end };
  } catch (error) {
    void Promise.resolve((transport as Partial<McpClient>).close?.()).catch(() => {});
    void end().catch(() => {}); // a client that connects late
    throw error;
  }
}

async function transportOf(
  server: Server,
  { cwd, connection }: Pick<SessionMcpSetup, "cwd" | "connection">,
): Promise<unknown> {
  const { type, command, args, env, url, headers } = server as {
    readonly type?: string;
    readonly command: string;
    readonly args?: string[];
    readonly env?: readonly Pair[];
    readonly url: string;
    readonly headers?: readonly Pair[];
  };
  if (type === "acp") return new CancellableTransport(clientTransport(connection, server));
  if (type === "http" || type === "sse") return { type, url, headers: valuesOf(headers) };
  const { Experimental_StdioMCPTransport } = (await import("@ai-sdk/mcp/mcp-stdio")) as {
    readonly Experimental_StdioMCPTransport: new (config: object) => McpClientTransport;
  };
  const config = { command, args: args ?? [], cwd, env: valuesOf(env) };
  return new CancellableTransport(new Experimental_StdioMCPTransport(config));
}

function valuesOf(pairs: readonly Pair[] = []): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** Resolves with the promise, or rejects with the reason of the signal. */
export function untilAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {}); // it may fail after the abort
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
