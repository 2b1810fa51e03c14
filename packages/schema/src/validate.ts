// Validators of protocol version 1: what the JSON Schema says of a value that we send.
export * from "./gen/v1/validators.gen.js";
export * from "./runtime/validating.js";
