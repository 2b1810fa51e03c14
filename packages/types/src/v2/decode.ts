// Decoders of protocol version 2. Each decoder is a separate constant, one for each params type and each result type,
// so that a bundler keeps only the decoders that the application uses.
export * from "../gen/v2/decode.gen.js";
// The capabilities that each method needs.
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
// Exported by name: the build replaces this module with `internal.js` (see `tsup.config.ts`), and `export *` would
// export all of that file.
export { DecodeError, formatIssue, formatPath, isDecodeError } from "../runtime/decoding.js";
export type { MethodGates } from "../runtime/method-info.js";
