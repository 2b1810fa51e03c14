import type { ClientConnection } from "@acp-kit/agent";
import type { IncomingNewSessionRequest } from "@acp-kit/types";
import type { ToolSet } from "ai";
import type { ToolViews } from "../pipe/tool-view.js";

/**
 * The MCP servers of sessions as tools, for the option `mcp` of `aiSdkAgent`. `sessionTools` of `@acp-kit/ai-sdk/mcp`
 * creates it.
 */
export interface SessionMcp {
  /** The transports that the agent advertises in addition to stdio. */
  readonly transports: { readonly http: boolean; readonly sse: boolean; readonly acp: boolean };
  /** @internal Connects to the servers of a session when their tools are first needed. */
  open(setup: SessionMcpSetup): OpenSessionMcp;
}

/** @internal The servers of a session. */
export interface SessionMcpSetup {
  readonly cwd: string;
  readonly mcpServers: IncomingNewSessionRequest["mcpServers"];
  /** The connection over which the session was opened. */
  readonly connection: ClientConnection;
}

/** @internal The connected servers of a session. */
export interface OpenSessionMcp {
  /** Returns the tools of the servers that are connected. Tries to connect to the others again. */
  tools(signal: AbortSignal): Promise<SessionToolSet>;
  /** Ends the connections. Never rejects. */
  close(): Promise<void>;
}

/** @internal Tools, and how the client shows their calls. */
export interface SessionToolSet {
  readonly tools: ToolSet;
  readonly views: ToolViews;
}
