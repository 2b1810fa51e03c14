// What every entry point `…/validate` exports in addition to its validators.

export type { DecoderSchema, DecoderSchemaProps, DecoderSchemaResult } from "@acp-kit/types/internal";
export { formatIssue, formatPath, type Issue } from "@acp-kit/types/internal";
export type { Validator, ValidatorTable } from "./validator.js";
