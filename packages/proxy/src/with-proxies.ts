import { InvalidOptionError, type Transport } from "@acp-kit/jsonrpc";
import { diagnosticReporter } from "@acp-kit/protocol/internal";
import type { AcpProxy } from "./create-proxy.js";
import { HopTransport } from "./hop/hop-transport.js";
import type { Side } from "./hop/side.js";

/** An agent that opens a new transport for each connection, such as `superviseAgent` or `webSocketAgent` return. */
export interface OpenableAgent {
  open(): PromiseLike<Transport>;
  close(): PromiseLike<void>;
}

/** An agent that a server connects to its clients, such as `createAgent` returns. */
export interface ConnectableAgent {
  connect(transport: Transport, ...rest: never[]): unknown;
}

/** An agent with ACP proxies in front of it. It fits wherever the agent itself fits. */
export type Proxied<Agent> = Agent extends ConnectableAgent
  ? Pick<Agent, "connect">
  : Agent extends OpenableAgent
    ? OpenableAgent
    : Agent extends PromiseLike<Transport>
      ? Promise<Transport>
      : Transport;

/**
 * Puts ACP proxies in front of an agent. The first proxy is next to the client. The returned value fits wherever the
 * agent fits: in `connectAgent`, `serveStdio`, `serveHttp` and the gateway's `start`.
 *
 * The connections through the proxies own the agent as they do without proxies: closing one closes its transport.
 *
 * @param agent a transport to an agent, a promise of one, a source that opens transports, or an agent that servers
 * connect to clients.
 * @example
 * ```ts
 * const agent = await connectAgent(withProxies(spawnAgent({ command: "gemini", args: ["--acp"] }), [rules, log]));
 * await serveStdio(withProxies(createAgent(definition), [rules]));
 * ```
 * @throws {InvalidOptionError} when an argument has the wrong type, or a proxy whose parts are created for each
 * connection is invalid.
 */
export function withProxies<Agent extends Transport | PromiseLike<Transport> | OpenableAgent | ConnectableAgent>(
  agent: Agent,
  proxies: readonly AcpProxy[],
): Proxied<Agent> {
  if (!Array.isArray(proxies) || proxies.some((proxy) => typeof proxy?.open !== "function"))
    throw new InvalidOptionError("withProxies", "proxies", "must be a list of values that createProxy has returned");
  return proxied(agent, proxies) as Proxied<Agent>;
}

function proxied(
  agent: Transport | PromiseLike<Transport> | OpenableAgent | ConnectableAgent,
  proxies: readonly AcpProxy[],
): unknown {
  if ("connect" in agent) {
    const connect = agent.connect.bind(agent) as (transport: Transport, ...rest: unknown[]) => unknown;
    return {
      connect: (transport: Transport, ...rest: unknown[]) => connect(chain("agent", transport, proxies), ...rest),
    };
  }
  if ("open" in agent)
    return {
      open: async () => owned(await agent.open(), proxies),
      close: () => agent.close(),
    };
  if ("then" in agent) return Promise.resolve(agent).then((transport) => owned(transport, proxies));
  if ("start" in agent && "send" in agent) return owned(agent, proxies);
  throw new InvalidOptionError(
    "withProxies",
    "agent",
    "must be a transport, a source of transports or an agent with a `connect` method",
  );
}

/** Connects a client to the transport of an agent. If a proxy is invalid, the transport is closed. */
function owned(transport: Transport, proxies: readonly AcpProxy[]): Transport {
  try {
    return chain("client", transport, proxies);
  } catch (error) {
    void transport.close();
    throw error;
  }
}

/** Connects the side `near` to a transport to the other side, through all proxies. */
function chain(near: Side, transport: Transport, proxies: readonly AcpProxy[]): Transport {
  const opened = proxies.map((proxy, index) => ({ proxy: proxy.open(), index }));
  // The last transport is that of the side `near`, so its neighbour comes last.
  if (near === "client") opened.reverse();
  return opened.reduce((inner, { proxy, index }) => {
    const { mcp, onDiagnostic } = proxy;
    if (mcp !== undefined && near === "agent") throw needsTransport();
    const agent = mcp?.connect(inner, diagnosticReporter(onDiagnostic)).agent ?? inner;
    return new HopTransport(near, agent, proxy, index);
  }, transport);
}

function needsTransport(): InvalidOptionError {
  return new InvalidOptionError(
    "withProxies",
    "agent",
    "must be a transport or a source of transports, because a proxy brings MCP servers to the agent behind it",
  );
}
