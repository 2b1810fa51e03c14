// For packages that implement another version of the protocol, such as `@acp-kit/v2`. This entry is not covered by
// semantic versioning.

export type { OwnTerminalInit } from "./own-terminal.js";
export type {
  AgentPort,
  SessionPort,
  VersionedConnection,
  VersionedSession,
  VersionedUpdate,
  WorkContext,
} from "./version.js";
