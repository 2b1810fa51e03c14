import type { AgentCapabilities, AuthMethod, ClientCapabilities } from "@acp-kit/types";
import type { AgentDefinition } from "./agent-definition.js";
import { featuresOf } from "./unstable/agent-feature.js";

/**
 * Derives the capabilities that an agent advertises from its handlers.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#agent-capabilities
 */
export function agentCapabilities(definition: AgentDefinition): AgentCapabilities {
  const { image = false, audio = false, embeddedContext = false } = definition.promptContent ?? {};
  return {
    loadSession: definition.loadSession !== undefined,
    promptCapabilities: { image, audio, embeddedContext },
    mcpCapabilities: { http: false, sse: false, ...definition.mcpTransports },
    sessionCapabilities: {
      ...(definition.listSessions && { list: {} }),
      ...(definition.deleteSession && { delete: {} }),
      ...(definition.resumeSession && { resume: {} }),
      ...(definition.closeSession && { close: {} }),
      ...(definition.additionalDirectories && { additionalDirectories: {} }),
      ...featuresOf(definition).sessionCapabilities,
    },
    auth: { ...(definition.logout && { logout: {} }) },
    ...(definition.capabilitiesMeta && { _meta: { ...definition.capabilitiesMeta } }),
  };
}

/**
 * Returns the login methods that this client can use.
 *
 * @see https://agentclientprotocol.com/protocol/v1/authentication
 */
export function offeredAuthMethods(definition: AgentDefinition, client: ClientCapabilities | undefined): AuthMethod[] {
  const methods = definition.authMethods ?? [];
  return client?.auth?.terminal === true ? [...methods] : methods.filter((method) => !isTerminal(method));
}

/**
 * Returns whether a client runs this login method in a terminal. A client never passes such a method to `authenticate`.
 */
export function isTerminal(method: AuthMethod): boolean {
  return "type" in method && method.type === "terminal";
}
