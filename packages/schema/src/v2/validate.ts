// Validators of protocol version 2: what the JSON Schema says of a value that we send.
export * from "../gen/v2/validators.gen.js";
export * from "../runtime/validating.js";
