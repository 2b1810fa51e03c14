// Validators of protocol version 1 with its unstable parts: what the JSON Schema says of a value that we send.
export * from "../gen/v1-unstable/validators.gen.js";
export * from "../runtime/validating.js";
