// Decoders of protocol version 2 with its unstable parts. Each params and result type has its own constant, so that
// bundlers keep only those that are used.

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
// Other facts about the schema that a peer needs at run time.
export * from "../../gen/v2-unstable/gates.gen.js";
