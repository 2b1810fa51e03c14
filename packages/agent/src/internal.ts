// For packages that implement another version of the protocol, such as `@acp-kit/v2`. This entry is not covered by
// semantic versioning.

export type { OwnTerminalInit } from "./own-terminal.js";
export type {
  AgentPort,
  VersionedConnection,
} from "./version.js";
export type { SessionPort, VersionedSession, WorkContext } from "./versioned-session.js";
export type { VersionedUpdate } from "./versioned-update.js";
