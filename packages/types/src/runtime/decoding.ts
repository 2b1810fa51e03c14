// What every entry point `…/decode` exports in addition to its decoders.
export { DecodeError, isDecodeError } from "./decode-error.js";
export type { DecodeResult, Decoder, DecoderTable } from "./decoder.js";
export { formatIssue, formatPath, type Issue } from "./issue.js";
export type { DecoderSchema, DecoderSchemaProps, DecoderSchemaResult } from "./standard-schema.js";
