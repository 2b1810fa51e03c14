// Validators of protocol version 1 with its unstable parts: they check values to send against the JSON Schema.
export * from "../gen/v1-unstable/validators.gen.js";
export * from "../runtime/validating.js";
