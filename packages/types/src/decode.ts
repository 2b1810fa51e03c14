// Decoders of protocol version 1. One constant per params and result type, so that bundlers keep only what is used.
export * from "./gen/v1/decode.gen.js";
export * from "./runtime/decoding.js";
