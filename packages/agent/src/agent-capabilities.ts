import type { AgentCapabilities, AuthMethod, ClientCapabilities } from "@acp-kit/types";
import type { AgentDefinition } from "./agent-definition.js";

/**
 * What an agent advertises, derived from its handlers.
 *
 * @see https://agentclientprotocol.com/protocol/v1/initialization#agent-capabilities
 */
export function agentCapabilities(definition: AgentDefinition): AgentCapabilities {
  const { image = false, audio = false, embeddedContext = false } = definition.promptContent ?? {};
  const { http = false, sse = false } = definition.mcpTransports ?? {};
  return {
    loadSession: definition.loadSession !== undefined,
    promptCapabilities: { image, audio, embeddedContext },
    mcpCapabilities: { http, sse },
    sessionCapabilities: {
      ...(definition.listSessions && { list: {} }),
      ...(definition.deleteSession && { delete: {} }),
      ...(definition.resumeSession && { resume: {} }),
      ...(definition.closeSession && { close: {} }),
      ...(definition.additionalDirectories && { additionalDirectories: {} }),
    },
    auth: { ...(definition.logout && { logout: {} }) },
    ...(definition.capabilitiesMeta && { _meta: { ...definition.capabilitiesMeta } }),
  };
}

/** The ways to log in that this client can use. @see https://agentclientprotocol.com/protocol/v1/authentication */
export function offeredAuthMethods(definition: AgentDefinition, client: ClientCapabilities | undefined): AuthMethod[] {
  const methods = definition.authMethods ?? [];
  return client?.auth?.terminal === true ? [...methods] : methods.filter((method) => !isTerminal(method));
}

/** A terminal method is run by the client in a terminal of its own and never passed to `authenticate`. */
export function isTerminal(method: AuthMethod): boolean {
  return "type" in method && method.type === "terminal";
}
