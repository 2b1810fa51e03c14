// Decoders of protocol version 1 with its unstable parts. One constant per params and result type, so that bundlers keep only what is used.
export * from "../gen/v1-unstable/decode.gen.js";
export * from "../runtime/decoding.js";
