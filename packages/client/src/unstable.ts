// Features of the protocol that are not stable yet. They may change in any release.

export { forkSession } from "./unstable/fork-session.js";
export { type LoginAccount, type LoginState, loginState, type WatchedLoginState } from "./unstable/login-state.js";
export { cancelChild, subagents } from "./unstable/subagents.js";
export { type SystemPrompt, systemPrompt } from "./unstable/system-prompt.js";
export type { UnstableFeature } from "./unstable/unstable-feature.js";
