// Validators of protocol version 2 with its unstable parts: what the JSON Schema says of a value that we send.
export * from "../../gen/v2-unstable/validators.gen.js";
export * from "../../runtime/validating.js";
