// Decoders of protocol version 2. One constant per params and result type, so that bundlers keep only the used ones.
export * from "../gen/v2/decode.gen.js";
// Other facts about the schema that a peer needs at run time.
export * from "../gen/v2/gates.gen.js";
export type {
  DecodeResult,
  Decoder,
  DecoderSchema,
  DecoderSchemaProps,
  DecoderSchemaResult,
  DecoderTable,
  Issue,
} from "../runtime/decoding.js";
// By name: in the build this module is `internal.js`, which exports more.
export { DecodeError, formatIssue, formatPath, isDecodeError } from "../runtime/decoding.js";
export type { MethodGates } from "../runtime/method-info.js";
