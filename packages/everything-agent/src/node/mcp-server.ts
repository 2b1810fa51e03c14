import { type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import type { IncomingMcpServer } from "@acp-kit/types";
import type { McpConnection, McpState } from "../mcp-connection.js";

/** The MCP version that the agent requests. A server responds with the version that it supports. */
const protocolVersion = "2025-06-18";

/**
 * Starts an MCP server on stdio, initializes it and lists its tools. MCP and ACP have the same framing on stdio, so the
 * transport is the same.
 *
 * @see https://agentclientprotocol.com/protocol/v1/session-setup
 */
export function connectMcpServer(server: IncomingMcpServer, cwd: string): McpConnection | undefined {
  // The agent accepts servers with other transports, but does not connect to them.
  if (!("command" in server) || typeof server.command !== "string") return undefined;
  const { name, command, args = [], env = [] } = server as Extract<IncomingMcpServer, { command: string }>;
  const variables = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  const child = spawnAgent({ command, args, env: variables, cwd });
  return { name, state: initialize(child), close: () => child.close() };
}

function initialize(child: AgentProcess): Promise<McpState> {
  return new Promise((resolve) => {
    const failed = (reason: string): void => resolve({ state: "failed", reason });
    const request = (id: number, method: string, params: object): void => {
      child.send({ jsonrpc: "2.0", id, method, params });
    };
    child.start({
      message(value) {
        const { id, result, error } = (value ?? {}) as {
          id?: unknown;
          result?: { tools?: unknown } | null;
          error?: { message?: unknown } | null;
        };
        if (error != null) failed(String(error.message));
        else if (id === 1) {
          child.send({ jsonrpc: "2.0", method: "notifications/initialized" });
          request(2, "tools/list", {});
        } else if (id === 2) resolve({ state: "connected", tools: namesOf(result?.tools) });
      },
      malformed() {},
      ended: () => failed("it ended"),
      failed: (error) => failed(error instanceof Error ? error.message : String(error)),
    });
    const clientInfo = { name: "everything-agent", version: "1.0.0" };
    request(1, "initialize", { protocolVersion, capabilities: {}, clientInfo });
  });
}

function namesOf(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: { name?: unknown } | null) => (typeof tool?.name === "string" ? [tool.name] : []));
}
