import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { ToolCallContent } from "@acp-kit/types";
import type { ToolSet } from "ai";
import type { OpenSessionMcp, SessionMcp, SessionMcpSetup, SessionToolSet } from "../agent/session-mcp.js";
import type { ToolView } from "../pipe/tool-view.js";
import { type ConnectedServer, connectServer, untilAborted } from "./connect-server.js";
import { takeToolName } from "./tool-name.js";

/** Options of {@link sessionTools}. */
export interface SessionToolsOptions {
  /**
   * Whether each call needs the user's permission. The default is `true`: the hints of a server about its tools are not
   * trusted.
   */
  readonly needsApproval?: boolean;
  /** How long a turn waits for a server to connect and to list its tools, in milliseconds. The default is 10,000. */
  readonly connectTimeoutMs?: number;
}

/** The maximum number of content blocks of a result that the client is shown. */
const MAX_BLOCKS = 100;

/**
 * Gives the model the tools of the MCP servers that the client declares for a session, for the option `mcp` of
 * `aiSdkAgent`: servers on stdio, over HTTP, over SSE, and those that the client serves over its connection. It needs
 * `@ai-sdk/mcp` in the major version that belongs to `ai`.
 *
 * The agent connects at the first turn of a session. A server that can't be reached is reported as the diagnostic
 * `mcp_server_failed`, and tried again at the next turn.
 *
 * @throws {InvalidOptionError} when an option is unknown.
 * @example
 * ```ts
 * const agent = createAgent(aiSdkAgent({ info, model, mcp: sessionTools() }));
 * ```
 */
export function sessionTools(options: SessionToolsOptions = {}): SessionMcp {
  checkOptions("sessionTools", options, optionKinds);
  const { needsApproval = true, connectTimeoutMs = 10_000 } = options;
  return {
    transports: { http: true, sse: true, acp: true },
    open: (setup) => new ServersOfSession(setup, needsApproval, connectTimeoutMs),
  };
}

const optionKinds: OptionKinds<SessionToolsOptions> = { needsApproval: "value", connectTimeoutMs: "value" };

class ServersOfSession implements OpenSessionMcp {
  readonly #setup: SessionMcpSetup;
  readonly #needsApproval: boolean;
  readonly #connectTimeoutMs: number;
  readonly #ended = new AbortController();
  /** The connections, by the place of the server in the list. One that has failed is removed. */
  readonly #connections = new Map<number, Promise<ConnectedServer>>();

  constructor(setup: SessionMcpSetup, needsApproval: boolean, connectTimeoutMs: number) {
    this.#setup = setup;
    this.#needsApproval = needsApproval;
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  async tools(signal: AbortSignal): Promise<SessionToolSet> {
    const connecting = this.#setup.mcpServers.map((_, index) => this.#connected(index));
    const servers = await untilAborted(signal, Promise.all(connecting));
    const tools: ToolSet = {};
    const views: Record<string, ToolView> = {};
    const taken = new Set<string>();
    for (const server of servers) {
      for (const [name, tool] of Object.entries(server?.tools ?? {})) {
        const key = takeToolName(taken, server?.name ?? "", name);
        tools[key] = { ...tool, needsApproval: this.#needsApproval };
        views[key] = viewOf(`${server?.name}: ${name}`);
      }
    }
    return { tools, views };
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error("The session was closed"));
    const connections = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled(connections.map(async (connection) => (await connection).close()));
  }

  async #connected(index: number): Promise<ConnectedServer | undefined> {
    const server = this.#setup.mcpServers[index];
    if (server === undefined || this.#ended.signal.aborted) return undefined;
    const connection = this.#connections.get(index) ?? this.#connect(server);
    this.#connections.set(index, connection);
    try {
      return await connection;
    } catch (cause) {
      this.#connections.delete(index);
      const message = `The MCP server ${server.name} can't be used`;
      this.#setup.connection.peer.report({ code: "mcp_server_failed", message, cause });
      return undefined;
    }
  }

  async #connect(server: SessionMcpSetup["mcpServers"][number]): Promise<ConnectedServer> {
    const late = new AbortController();
    const end = (): void => late.abort(this.#ended.signal.reason);
    this.#ended.signal.addEventListener("abort", end, { once: true });
    const timeout = new Error(`The server did not list its tools within ${this.#connectTimeoutMs} ms`);
    const timer = setTimeout(() => late.abort(timeout), this.#connectTimeoutMs);
    try {
      return await connectServer(server, this.#setup, late.signal);
    } finally {
      clearTimeout(timer);
      this.#ended.signal.removeEventListener("abort", end);
    }
  }
}

/** Shows the calls of a tool with its own name, and the content of its results. MCP and ACP have the same blocks. */
function viewOf(title: string): ToolView {
  return {
    input: () => ({ title }),
    output: ({ content }: { readonly content?: unknown }) =>
      Array.isArray(content) ? { content: content.slice(0, MAX_BLOCKS).map(asContent) } : {},
  };
}

function asContent(block: unknown): ToolCallContent {
  return { type: "content", content: block } as ToolCallContent;
}
