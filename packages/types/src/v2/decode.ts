// Decoders of protocol version 2. One constant per params and result type, so that bundlers keep only what is used.
export * from "../gen/v2/decode.gen.js";
// And what else a running side has to know of the schema.
export * from "../gen/v2/gates.gen.js";
export * from "../runtime/decoding.js";
export type { MethodGates } from "../runtime/method-info.js";
