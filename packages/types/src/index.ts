// Version 1 of the protocol.

// For all programs: the types of messages. `X` is the type for sending; `IncomingX` is the type for receiving, where
// the two differ.

export { ErrorCode } from "./gen/v1/error-codes.gen.js";
export * from "./gen/v1/guards.gen.js";
export type * from "./gen/v1/types.gen.js";
export type { UnknownTag, UnknownVariant } from "./runtime/unknown-variant.js";

// For authors of an agent or client library: its methods by name, and their handlers.

export type { AgentHandlers, ClientHandlers } from "./gen/v1/methods.gen.js";
export { agentMethods, clientMethods, protocolMethods, protocolVersion } from "./gen/v1/methods.gen.js";
export type { Handler } from "./runtime/method-info.js";

// For authors of tools: capabilities, the types of each method's params and result, and the name, capability and
// stability of each method.

export type { AgentCapabilityPath, ClientCapabilityPath } from "./gen/v1/capabilities.gen.js";
export { agentCapabilityTree, clientCapabilityTree, patchedMembers, payloadGates } from "./gen/v1/capabilities.gen.js";
export type {
  AgentNotifications,
  AgentRequests,
  ClientNotifications,
  ClientRequests,
  ProtocolNotifications,
} from "./gen/v1/methods.gen.js";
export {
  agentNotifications,
  agentRequests,
  clientNotifications,
  clientRequests,
  protocolNotifications,
} from "./gen/v1/methods.gen.js";
export type { CapabilityKind, PayloadGate } from "./runtime/capability.js";
export type { MethodInfo, MethodTable } from "./runtime/method-info.js";
