import { checkOptions } from "@acp-kit/protocol/internal";
import type { InitializeResponse as V1InitializeResponse } from "@acp-kit/types";
import type * as types from "@acp-kit/types/v2";
import type { ProxyVersion } from "../create-proxy.js";
import { versionRules } from "../hop/version-rules.js";
import type { FromAgent, FromClient } from "../interceptors.js";
import { version2 } from "./version-2.js";

/** Version 2 of the protocol. */
export interface Version2 {
  readonly agentRequests: Omit<types.AgentRequests, "initialize"> & {
    initialize: Omit<types.AgentRequests["initialize"], "result" | "incomingResult"> & {
      result: types.InitializeResponse | V1InitializeResponse;
      incomingResult: types.IncomingInitializeResponse | V1InitializeResponse;
    };
  };
  readonly agentNotifications: types.AgentNotifications;
  readonly clientRequests: types.ClientRequests;
  readonly clientNotifications: types.ClientNotifications;
  readonly knownUpdate: types.KnownSessionUpdate;
}

/** The rules of an ACP proxy for version 2. The members mean the same as those of `createProxy` for version 1. */
export interface V2Rules {
  /**
   * Interceptors of the client's messages. That of `initialize` runs if the client offers version 2; the result may
   * nevertheless be one of version 1.
   */
  readonly fromClient?: FromClient<Version2>;
  /** Interceptors of the agent's messages. */
  readonly fromAgent?: FromAgent<Version2>;
  /** Returns the capabilities that the client sees instead of the agent's. */
  readonly agentCapabilities?: (capabilities: types.AgentCapabilities) => types.AgentCapabilities;
  /** Returns the capabilities that the agent sees instead of the client's. */
  readonly clientCapabilities?: (capabilities: types.ClientCapabilities) => types.ClientCapabilities;
}

/**
 * Creates the rules of an ACP proxy for version 2 of the protocol, for the option `versions` of `createProxy`.
 *
 * @throws {InvalidOptionError} when an interceptor is unknown, of the wrong type or belongs to the other direction, or
 * if a capability is added without interceptors.
 * @example
 * ```ts
 * const noThoughts = createProxy({
 *   info: { name: "no-thoughts", version: "1.0.0" },
 *   fromAgent: { "session/update": { agent_thought_chunk: () => {} } },
 *   versions: [v2({ fromAgent: { "session/update": { agent_thought: () => {}, agent_thought_chunk: () => {} } } })],
 * });
 * ```
 */
export function v2(rules: V2Rules = {}): ProxyVersion {
  checkOptions("v2", rules, {
    fromClient: "value",
    fromAgent: "value",
    agentCapabilities: "function",
    clientCapabilities: "function",
  });
  return { rules: versionRules("v2", version2, rules) };
}
