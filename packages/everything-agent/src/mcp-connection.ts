import type { IncomingMcpServer } from "@acp-kit/types";

/** The result of connecting to an MCP server of a session. */
export type McpState =
  /** The server was initialized and offers these tools. */
  | { readonly state: "connected"; readonly tools: readonly string[] }
  | { readonly state: "failed"; readonly reason: string };

/** A connection to an MCP server of a session. */
export interface McpConnection {
  readonly name: string;
  /** A promise of the result; it never rejects. */
  readonly state: Promise<McpState>;
  /** Ends the MCP server when its session ends. The returned promise never rejects. */
  close(): Promise<void>;
}

/**
 * A function that connects to an MCP server in a session's working directory; it returns `undefined` for an unsupported
 * kind of server.
 */
export type ConnectMcp = (server: IncomingMcpServer, cwd: string) => McpConnection | undefined;
