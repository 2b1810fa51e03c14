// Exports for applications that host a gateway.
export type { AgentRequest, StartAgent } from "./agent/agent-pool.js";
export { metaKeys } from "./client/meta.js";
export { type GatewayClock, gatewaySystemClock } from "./clock.js";
export type { ReplicaLink } from "./cluster/replica-link.js";
// Exports for authors of engines.
export type { Acquired, AcquireOptions, Appended, Engine, Lease, Membership, ReplicaOptions } from "./engine/engine.js";
export { EngineError, type EngineErrorCode, isEngineError } from "./engine/engine-error.js";
export type { JournalPage, PageLimits, Position, StoredJournalEntry } from "./engine/journal-page.js";
export {
  entriesOfParts,
  type JournalPart,
  journalPartLimits,
  journalPartsOf,
  type StoredJournalPart,
} from "./engine/journal-parts.js";
export { directoryCursorOf, directoryPlaceOf } from "./engine/list-cursor.js";
export { MailReader, type StoredMail } from "./engine/mail-reader.js";
export { type MemoryEngineOptions, memoryEngine } from "./engine/memory-engine.js";
export type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryRecord,
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
} from "./engine/session-record.js";
export type { GatewayEvent, GatewayEventListener } from "./events.js";
export {
  type AcceptedConnection,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type GatewayStatus,
} from "./gateway.js";
export { type GatewayErrorReason, gatewayErrorReason } from "./gateway-error.js";
export type { JournalEntry, Outcome } from "./journal/journal-entry.js";
export type { RecordedEntry } from "./journal/recorded-entry.js";
export type { Retention } from "./journal/retention.js";
export type { SessionJournal, SessionJournalPage } from "./journal/session-journal.js";
export { type GatewayLimits, type GatewayTimes, gatewayLimitDefaults, gatewayTimeDefaults } from "./limits.js";
export { type GatewayLogRecord, gatewayLog } from "./operation/gateway-log.js";
export { type GatewayPolicy, policyDefaults, rejectUnattended, type UnattendedRequest } from "./policy.js";
export type { GatewayPrincipal } from "./principal.js";
export type { SessionOpening } from "./session/command.js";
export { folderNotAllowed, type SessionFolder } from "./session/session-folder.js";
