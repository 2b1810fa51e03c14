// Exports for applications that start an agent by its name.

export type { AgentIdentity, AgentOrigin, ResolvedAgent } from "./resolve/agent-identity.js";
export { type ResolveAgentOptions, resolveAgent } from "./resolve/resolve-agent.js";
export { WarmAgents, type WarmAgentsOptions, warmAgents } from "./resolve/warm-agents.js";

// Exports for applications that read registries.

export { AgentRegistry, type RegistryEntry } from "./catalog/agent-registry.js";
export {
  type OpenRegistryOptions,
  openRegistry,
  publicRegistry,
} from "./catalog/open-registry.js";
export type {
  DocumentSource,
  FileSource,
  RegistrySource,
  SourceOptions,
  UrlSource,
} from "./catalog/registry-source.js";
export { type RegistrySnapshot, registrySnapshot } from "./catalog/snapshot.js";
export type { SourceReport } from "./catalog/source-report.js";

// Exports for applications that install, update, roll back or remove agents.

export type { DistributionKind } from "./install/choose-distribution.js";
export type { InstallSizes } from "./install/install-options.js";
export type { InstallProgress, OnInstallProgress } from "./install/install-progress.js";
export {
  type InstalledAgent,
  type InstallOptions,
  type InstallStore,
  type InstallStoreOptions,
  openInstallStore,
} from "./store/install-store.js";
export type { HoldReason, PinnedAgent, PinnedChecksum, PinnedVersion } from "./store/lock-file.js";
export { type AgentUpdate, planUpdates } from "./store/plan-updates.js";

// Exports for applications that find the agents on this machine.

export { type DetectAgentsOptions, type DetectedAgent, detectAgents } from "./detect/detect-agents.js";
export { type AgentProbe, type ProbeOptions, probeAgent } from "./detect/probe-agent.js";
export { findProgram, type ProgramSearch, programsHere } from "./programs/find-program.js";
export { type KnownProgram, knownPrograms } from "./programs/known-programs.js";
export type { AgentSettings, FoundSettings } from "./settings/agent-settings.js";
export { editorAgentId, editorFiles, readEditorSettings } from "./settings/editor-settings.js";
export { parseJsonWithComments } from "./settings/json-with-comments.js";
export { type OwnSettings, readOwnSettings } from "./settings/own-settings.js";

// Errors.

export { isRegistryError, RegistryError, type RegistryErrorCode } from "./errors.js";

// Exports for applications that decode a registry themselves, and the types of quirks.

export type { AgentQuirks, FeatureQuirk, LaunchQuirk, LoginQuirk } from "../quirks/index.js";
export type { ArchiveLimits } from "./archive/archive-limits.js";
export { type DecodedRegistry, decodeRegistry } from "./catalog/decode-registry.js";
export type {
  AgentDistribution,
  BinaryTarget,
  PackageDistribution,
  RegistryAgent,
  RegistryDocument,
  RegistryProblem,
} from "./catalog/registry-document.js";
export { agentsDirectory, cacheDirectory, settingsFile, type Variables } from "./files/directories.js";
