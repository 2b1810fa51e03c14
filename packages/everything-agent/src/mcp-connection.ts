import type { IncomingMcpServer } from "@acp-kit/types";

/** The outcome of connecting to an MCP server of the client. */
export type McpState =
  /** It was initialized, and offers these tools. */
  | { readonly state: "connected"; readonly tools: readonly string[] }
  | { readonly state: "failed"; readonly reason: string };

/** An MCP server of a session. */
export interface McpConnection {
  readonly name: string;
  /** Never rejects. */
  readonly state: Promise<McpState>;
  /** Ends it with the session. Never rejects. */
  close(): Promise<void>;
}

/** Connects to an MCP server in a session's working directory; `undefined` for an unsupported kind. */
export type ConnectMcp = (server: IncomingMcpServer, cwd: string) => McpConnection | undefined;
