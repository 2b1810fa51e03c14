// For applications and tools that show, log or keep what agents and clients send.
export type { Tap, TapEvent } from "@acp-kit/jsonrpc"; // they appear in our signatures
export { type RedactingTap, redactingTap } from "./redacting-tap.js";
export {
  createRedactor,
  type RedactedStream,
  type Redactor,
  type RedactorOptions,
  redactorDefaults,
} from "./redactor.js";
export type { SecretLimits } from "./secret-store.js"; // it appears in our signatures
