// Decoders of protocol version 1. Each decoder is a separate constant, one for each params type and each result type,
// so that a bundler keeps only the decoders that the application uses.

// Other facts about the schema that a peer needs at run time. The capabilities, the error codes and a guard are here,
// too, because loading another file would take a millisecond at the start of a program.
export { agentCapabilityTree, clientCapabilityTree } from "./gen/v1/capabilities.gen.js";
export * from "./gen/v1/decode.gen.js";
export { ErrorCode } from "./gen/v1/error-codes.gen.js";
export * from "./gen/v1/gates.gen.js";
export { isKnownSessionUpdate } from "./gen/v1/guards.gen.js";
export * from "./runtime/decoding.js";
export type { MethodGates } from "./runtime/method-info.js";
