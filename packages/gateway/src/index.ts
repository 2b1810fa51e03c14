// For applications that host a gateway. Authors of engines find the rest in `@acp-kit/gateway/engine`.
export type { StartAgent } from "./agent/agent-pool.js";
export { metaKeys } from "./client/meta.js";
export type { ReplicaLink } from "./cluster/replica-link.js";
export type { Engine } from "./engine/engine.js";
export { memoryEngine } from "./engine/memory-engine.js";
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
export type { SessionJournal, SessionJournalPage } from "./journal/session-journal.js";
export type { GatewayLimits, GatewayTimes } from "./limits.js";
export { type GatewayLogRecord, gatewayLog } from "./operation/gateway-log.js";
export { type GatewayPolicy, rejectUnattended, type UnattendedRequest } from "./policy.js";
export type { GatewayPrincipal } from "./principal.js";
export { folderNotAllowed, type SessionFolder } from "./session/session-folder.js";
export type { GatewayVersion } from "./version.js";
