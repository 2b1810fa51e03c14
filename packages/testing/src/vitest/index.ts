// Matchers for Vitest, and for whatever has its `expect.extend`. Nothing here imports it.
export type { MessageContext } from "./conformant.js";
export { type AcpMatchers, acpMatchers, type MatcherContext, type MatcherResult } from "./matchers.js";
