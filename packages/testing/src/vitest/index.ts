// Matchers for Vitest, and for other runners with the same `expect.extend`. This entry point does not import Vitest.
export type { MessageContext } from "./conformant.js";
export { type AcpMatchers, acpMatchers, type MatcherContext, type MatcherResult } from "./matchers.js";
