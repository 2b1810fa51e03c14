// Validators of protocol version 2: they check values to send against the JSON Schema.
export * from "../gen/v2/validators.gen.js";
export * from "../runtime/validating.js";
