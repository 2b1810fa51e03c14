import type { Diagnostic, Transport } from "@acp-kit/jsonrpc";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { ForwardedCalls } from "../forwarded-calls.js";
import { McpTransport } from "../mcp-transport.js";
import { SessionServers } from "../session-servers.js";
import { LocalAddresses } from "./local-addresses.js";

/** Options of {@link mcpBridge}. */
export interface McpBridgeOptions {
  /** Receives a report of each server that an agent can't reach. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/**
 * Creates a function that puts a bridge in front of an agent that this machine runs, for servers: the clients of the
 * agent can then serve MCP servers over their connections (type `acp`), as pages in browsers do, although the agent
 * supports HTTP or stdio servers only. The agent gets the address of a server on this machine, and the bridge forwards
 * its calls to the client.
 *
 * An agent that supports MCP over ACP, or that runs on another machine, stays as it is.
 *
 * @example
 * ```ts
 * const bridge = mcpBridge();
 * await serveHttp(relayAgent(() => bridge(spawnAgent({ command, args }))), { authenticate });
 * const gateway = await createGateway({ engine, start: () => bridge(spawnAgent({ command, args })) });
 * ```
 */
export function mcpBridge(options: McpBridgeOptions = {}): (agent: Transport) => Transport {
  checkOptions("mcpBridge", options, optionKinds);
  const addresses = new LocalAddresses();
  const report = options.onDiagnostic ?? (() => {});
  return (agent) => {
    const forwarded = new ForwardedCalls(report);
    const servers = new SessionServers((params) => forwarded.sourcesOf(params), report);
    const onEnd = (reason: unknown): void => servers.close(reason);
    return new McpTransport(agent, { servers, report, addresses, forwarded, onEnd });
  };
}

const optionKinds: OptionKinds<McpBridgeOptions> = { onDiagnostic: "function" };
