import { type Diagnostic, InvalidOptionError, type Transport } from "@acp-kit/jsonrpc";
import type { BridgeAddresses } from "./bridge-addresses.js";
import { McpTransport } from "./mcp-transport.js";
import { type McpSourceOf, SessionServers, sourcesFor } from "./session-servers.js";

/** An agent, in one of the forms that `connectAgent` takes. */
export type Connectable = Transport | PromiseLike<Transport> | OpenableAgent;

interface OpenableAgent {
  open(): PromiseLike<Transport>;
  close(): PromiseLike<void>;
}

/** Servers of MCP for the option `mcp` of `connectAgent`. {@link serveMcp} creates it. */
export interface ServedMcp {
  /** @internal Adds the servers to an agent. `forget` ends the servers of a session. */
  connect<Agent extends Connectable>(
    agent: Agent,
    report: (diagnostic: Diagnostic) => void,
  ): { readonly agent: Agent; readonly forget: (sessionId: string) => void };
}

/**
 * Gives every session servers of MCP that run in the application, for the option `mcp` of `connectAgent`. An agent that
 * supports MCP over ACP calls them over its connection. For all other agents, the servers are left out, and the client
 * reports the diagnostic `mcp_server_left_out`; in Node, use `serveMcp` of `@acp-kit/mcp/node`, which reaches every
 * agent on this machine.
 *
 * @param sources the servers, or functions that return the server for a session, or `undefined`.
 * @throws {InvalidOptionError} when a source is not one, or two have the same name.
 * @example
 * ```ts
 * const agent = await connectAgent(transport, { mcp: serveMcp(mcpTools("tickets", { find })) });
 * ```
 */
export function serveMcp(...sources: McpSourceOf[]): ServedMcp {
  return serve(sources, undefined);
}

/** Creates servers for agents that may need addresses on this machine. */
export function serve(sources: readonly McpSourceOf[], addresses: BridgeAddresses | undefined): ServedMcp {
  const names = new Set<string>();
  for (const [index, source] of sources.entries()) {
    const fail = (problem: string): never => {
      throw new InvalidOptionError("serveMcp", `sources[${index}]`, problem);
    };
    if (typeof source === "function") continue;
    if (typeof source?.open !== "function")
      fail("must be a server such as mcpTools(…), or a function that returns one");
    if (names.has(source.name)) fail(`has the name "${source.name}" of another source`);
    names.add(source.name);
  }
  return {
    connect(agent, report) {
      const servers = new SessionServers(sourcesFor(sources), report);
      const restarts = "open" in agent;
      const onEnd = (reason: unknown): void => (restarts ? servers.disconnected(reason) : servers.close(reason));
      const wrap = (transport: Transport): Transport =>
        new McpTransport(transport, { servers, report, addresses, onEnd });
      const of = (target: Connectable): Connectable => {
        if ("then" in target) return Promise.resolve(target).then(wrap);
        if (!("open" in target)) return wrap(target);
        return {
          open: async () => wrap(await target.open()),
          close: async () => {
            servers.close(new Error("The connection was closed"));
            await target.close();
          },
        };
      };
      return { agent: of(agent) as typeof agent, forget: (sessionId) => servers.closed(sessionId) };
    },
  };
}
