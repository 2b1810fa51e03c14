// Decoders of protocol version 2. One constant per params and result type, so that bundlers keep only what is used.
export * from "../gen/v2/decode.gen.js";
export * from "../runtime/decoding.js";
