// Version 2 of the protocol with everything that is still being tried out. It may change in a minor release.

// For everybody: the messages. `X` is what we send; `IncomingX`, where it differs, is what may arrive.

export { ErrorCode } from "../../gen/v2-unstable/error-codes.gen.js";
export * from "../../gen/v2-unstable/guards.gen.js";
export type * from "../../gen/v2-unstable/types.gen.js";
export type { UnknownTag, UnknownVariant } from "../../runtime/unknown-variant.js";

// For whoever implements a side: its methods by name, and their handlers.

export type { AgentHandlers, ClientHandlers, ProxyHandlers } from "../../gen/v2-unstable/methods.gen.js";
export {
  agentMethods,
  clientMethods,
  protocolMethods,
  protocolVersion,
  proxyMethods,
} from "../../gen/v2-unstable/methods.gen.js";
export type { Handler } from "../../runtime/method-info.js";

// For who builds on the schema: capabilities, call maps, facts about methods.

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
export type { CapabilityKind, PayloadGate } from "../../runtime/capability.js";
export type { MethodInfo, MethodTable } from "../../runtime/method-info.js";
