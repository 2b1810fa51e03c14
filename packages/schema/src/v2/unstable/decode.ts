// Decoders of protocol version 2 with its unstable parts. Each decoder is a separate constant, one for
// each params type and each result type, so that a bundler keeps only the decoders that the application uses.

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
// The capabilities that each method needs.
export * from "../../gen/v2-unstable/gates.gen.js";
