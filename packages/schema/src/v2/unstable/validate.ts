// Validators of protocol version 2 with its unstable parts: they check values to send against the JSON Schema.
export * from "../../gen/v2-unstable/validators.gen.js";
export * from "../../runtime/validating.js";
