/**
 * Functions for the generated code in `@acp-kit/schema`, which contains the unstable types and decoders. No other code
 * should import them.
 *
 * @internal
 * @module
 */

export type { CapabilityKind, PayloadGate } from "./runtime/capability.js";
export * from "./runtime/checks.js";
export { decoder, decoderTable } from "./runtime/decoder.js";
export * from "./runtime/decoding.js";
export type { Handler, MethodGates, MethodTable } from "./runtime/method-info.js";
export type { UnknownVariant } from "./runtime/unknown-variant.js";
