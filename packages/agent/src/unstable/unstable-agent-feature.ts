/**
 * A feature of the protocol that is not stable yet, for the member `unstable` of an agent's definition. The entry
 * `@acp-kit/agent/unstable` exports the features; they may change in any release.
 *
 * @experimental
 */
export interface UnstableAgentFeature {
  readonly name: string;
}
