// What every `…/validate` entry exports beside its validators.
export { formatIssue, formatPath, type Issue } from "./issue.js";
export type { StandardSchema, StandardSchemaProps, StandardSchemaResult } from "./standard-schema.js";
export type { Validator, ValidatorTable } from "./validator.js";
