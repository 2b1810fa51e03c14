// Decoders of protocol version 2. Each decoder is a separate constant, one for each params type and each result type, so that a bundler
// keeps only the decoders that the application uses.
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
// Exported by name, because in the build this module is `internal.js`, which exports more.
export { DecodeError, formatIssue, formatPath, isDecodeError } from "../runtime/decoding.js";
export type { MethodGates } from "../runtime/method-info.js";
