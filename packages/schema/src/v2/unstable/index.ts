// Version 2 of the protocol with its experimental parts. It may change in a minor release.

// For all programs: the types of messages. `X` is the type for sending; `IncomingX` is the type for receiving, where
// the two differ.

export type { UnknownTag, UnknownVariant } from "@acp-kit/types";
export { ErrorCode } from "../../gen/v2-unstable/error-codes.gen.js";
export * from "../../gen/v2-unstable/guards.gen.js";
export type * from "../../gen/v2-unstable/types.gen.js";

// For authors of agent and client libraries: the names of the protocol's methods, and the types of their handlers.

export type { Handler } from "@acp-kit/types";
export type { AgentHandlers, ClientHandlers, ProxyHandlers } from "../../gen/v2-unstable/methods.gen.js";
export {
  agentMethods,
  clientMethods,
  protocolMethods,
  protocolVersion,
  proxyMethods,
} from "../../gen/v2-unstable/methods.gen.js";

// For authors of tools: capabilities, the types of methods, facts about methods.

export type { CapabilityKind, MethodInfo, MethodTable, PayloadGate } from "@acp-kit/types";
export type { AgentCapabilityPath, ClientCapabilityPath } from "../../gen/v2-unstable/capabilities.gen.js";
export {
  agentCapabilityTree,
  clientCapabilityTree,
  patchedMembers,
  payloadGates,
} from "../../gen/v2-unstable/capabilities.gen.js";
export type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  ProtocolNotifications,
  ProxyNotifications,
  ProxyRequests,
} from "../../gen/v2-unstable/methods.gen.js";
export {
  agentNotifications,
  agentRequests,
  clientNotifications,
  clientRequests,
  protocolNotifications,
  proxyNotifications,
  proxyRequests,
} from "../../gen/v2-unstable/methods.gen.js";
