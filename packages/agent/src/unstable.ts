// Features of the protocol that are not stable yet. They may change in any release.

export { acceptForks } from "./unstable/accept-forks.js";
export { acceptSystemPrompt } from "./unstable/accept-system-prompt.js";
export type { UnstableAgentFeature } from "./unstable/unstable-agent-feature.js";
