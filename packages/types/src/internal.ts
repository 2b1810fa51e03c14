/**
 * Building blocks of generated code, for `@acp-kit/schema`, which generates the unstable types and decoders. Nothing else
 * should import it.
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
