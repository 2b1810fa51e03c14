// Decoders of protocol version 2 with its unstable parts. One constant per params and result type, so that bundlers keep only what is used.

export {
  DecodeError,
  type DecodeResult,
  type Decoder,
  type DecoderSchema,
  type DecoderSchemaProps,
  type DecoderSchemaResult,
  type DecoderTable,
  formatIssue,
  formatPath,
  type Issue,
  isDecodeError,
  type MethodGates,
} from "@acp-kit/types/internal";
export * from "../../gen/v2-unstable/decode.gen.js";
// And what else a running side has to know of the schema.
export * from "../../gen/v2-unstable/gates.gen.js";
