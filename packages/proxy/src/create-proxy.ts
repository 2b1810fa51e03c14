import { InvalidOptionError, type Transport } from "@acp-kit/jsonrpc";
import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import type { AgentCapabilities, ClientCapabilities } from "@acp-kit/types";
import { version1 } from "./hop/version-1.js";
import { type VersionRules, versionRules } from "./hop/version-rules.js";
import type { FromAgent, FromClient } from "./interceptors.js";

/** Servers of MCP for the part `mcp` of an ACP proxy. `serveMcp` of `@acp-kit/mcp` creates it. */
export interface ProxyMcp {
  /** @internal Adds the servers to a transport to an agent. */
  connect(agent: Transport, report: DiagnosticListener): { readonly agent: Transport };
}

/** The parts of an ACP proxy. */
export interface ProxyDefinition {
  /** The name and version of the proxy, which the result of `initialize` and the errors of the proxy contain. */
  readonly info: { readonly name: string; readonly version: string };
  /** Interceptors of the client's messages. */
  readonly fromClient?: FromClient;
  /** Interceptors of the agent's messages. */
  readonly fromAgent?: FromAgent;
  /**
   * Servers of MCP that each session gets, such as `serveMcp(…)` of `@acp-kit/mcp` creates. The proxy must be in front
   * of a transport to the agent.
   */
  readonly mcp?: ProxyMcp;
  /**
   * Returns the capabilities that the client sees instead of the agent's. The requests of a removed capability get the
   * error `-32601` and never reach the agent. For an added capability, the proxy needs an interceptor for each of its
   * methods.
   */
  readonly agentCapabilities?: (capabilities: AgentCapabilities) => AgentCapabilities;
  /** Returns the capabilities that the agent sees instead of the client's, as {@link agentCapabilities} does. */
  readonly clientCapabilities?: (capabilities: ClientCapabilities) => ClientCapabilities;
  /**
   * The rules for other versions of the protocol: `[v2({ … })]` with `v2` of `@acp-kit/proxy/v2`. The members above are
   * the rules for version 1.
   */
  readonly versions?: readonly ProxyVersion[];
  /**
   * Whether the proxy also works for versions of the protocol that it does not know. Its interceptors then get params
   * as they were received. Set it only for proxies that decide nothing, such as logs. The default is `false`: the
   * connection fails if the agent chooses a version without rules.
   */
  readonly passUnknownVersions?: boolean;
  /**
   * The maximum size in bytes of the messages that the proxy holds for its interceptors, for each direction. Above it,
   * the proxy stops reading from the sender. The default is 4,194,304.
   */
  readonly maxHeldBytes?: number;
  /** Receives the diagnostics of the proxy, such as the cause of an interceptor's failure. */
  readonly onDiagnostic?: DiagnosticListener;
}

/** An ACP proxy that {@link createProxy} has created. It can be used for any number of connections. */
export interface AcpProxy {
  /** @internal Returns the parts of the proxy for a new connection. */
  open(): OpenedProxy;
}

/** The rules of an ACP proxy for one more version of the protocol. `v2` of `@acp-kit/proxy/v2` creates them. */
export interface ProxyVersion {
  /** @internal */
  readonly rules: VersionRules;
}

/** @internal The checked parts of an ACP proxy. */
export interface OpenedProxy extends Omit<ProxyDefinition, "versions"> {
  /** The rules for each version that the proxy knows, in ascending order. */
  readonly versions: readonly [VersionRules, ...VersionRules[]];
}

/**
 * Creates an ACP proxy: a component between a client and an agent that reads, changes, answers or adds messages. Use
 * `withProxies` to put it in front of an agent.
 *
 * @param definition the parts of the proxy, or a function that creates them for each connection, for proxies with a
 * state of their own for each connection.
 * @throws {InvalidOptionError} when an option or interceptor is unknown, of the wrong type or belongs to the other
 * direction, or if a capability is added without interceptors. If `definition` is a function, the error is thrown when
 * a connection is opened.
 * @example
 * ```ts
 * const readOnly = createProxy({
 *   info: { name: "read-only", version: "1.0.0" },
 *   fromAgent: { "fs/write_text_file": () => refuse("Files can't be written here.") },
 * });
 * const agent = await connectAgent(withProxies(spawnAgent({ command }), [readOnly]));
 * ```
 */
export function createProxy(definition: ProxyDefinition | (() => ProxyDefinition)): AcpProxy {
  if (typeof definition === "function") return { open: () => opened(definition()) };
  const proxy = opened(definition);
  return { open: () => proxy };
}

const optionKinds: OptionKinds<ProxyDefinition> = {
  info: "value!",
  fromClient: "value",
  fromAgent: "value",
  mcp: "value",
  agentCapabilities: "function",
  clientCapabilities: "function",
  versions: "value",
  passUnknownVersions: "value",
  maxHeldBytes: "value",
  onDiagnostic: "function",
};

function opened(definition: ProxyDefinition): OpenedProxy {
  checkOptions("createProxy", definition, optionKinds);
  checkOptions("createProxy", definition.info, { name: "value!", version: "value!" }, "info.");
  const { maxHeldBytes, versions = [] } = definition;
  if (maxHeldBytes !== undefined && !(maxHeldBytes > 0))
    throw new InvalidOptionError("createProxy", "maxHeldBytes", "must be a number greater than 0");
  if (!Array.isArray(versions) || versions.length > 1 || versions.some((each) => each?.rules === undefined))
    throw new InvalidOptionError("createProxy", "versions", "must be a list with one value of `v2`");
  const others = (versions as readonly ProxyVersion[]).map(({ rules }) => rules);
  return { ...definition, versions: [versionRules("createProxy", version1, definition), ...others] };
}
