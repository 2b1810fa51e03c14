// For applications and tools that show, log or store the messages of agents and clients.
export type { Tap, TapEvent } from "@acp-kit/jsonrpc"; // re-exported, because they appear in the signatures of this package
export { type RedactingTap, redactingTap } from "./redacting-tap.js";
export { createRedactor, type Redactor } from "./redactor.js";
