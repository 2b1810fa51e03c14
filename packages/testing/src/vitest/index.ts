// Matchers for Vitest, and for other runners with its `expect.extend`. Nothing here imports Vitest.
export type { MessageContext } from "./conformant.js";
export { type AcpMatchers, acpMatchers, type MatcherContext, type MatcherResult } from "./matchers.js";
