// For applications and tools that show, log or store the messages of agents and clients.
// Re-exported, because they appear in the signatures of this package
export type { Tap, TapEvent } from "@acp-kit/jsonrpc";
export { type RedactingTap, redactingTap } from "./redacting-tap.js";
export { createRedactor, type Redactor } from "./redactor.js";
