// Validators of protocol version 1: they check values to send against the JSON Schema.
export * from "./gen/v1/validators.gen.js";
export * from "./runtime/validating.js";
