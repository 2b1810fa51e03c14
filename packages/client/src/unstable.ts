// Features of the protocol that are not stable yet. They may change in any release.

export { cancelChild, subagents } from "./unstable/subagents.js";
export type { UnstableFeature } from "./unstable/unstable-feature.js";
