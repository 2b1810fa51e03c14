// Decoders of protocol version 1. One constant per params and result type, so that bundlers keep only the used ones.
export * from "./gen/v1/decode.gen.js";
// Other facts about the schema that a peer needs at run time. The error codes are here, too, because loading another file costs a start a millisecond.
export { ErrorCode } from "./gen/v1/error-codes.gen.js";
export * from "./gen/v1/gates.gen.js";
export * from "./runtime/decoding.js";
export type { MethodGates } from "./runtime/method-info.js";
