// For authors of engines.
export type {
  Acquired,
  AcquireOptions,
  Appended,
  Engine,
  Lease,
  Membership,
  ReplicaOptions,
} from "./engine/engine.js";
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
export type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryRecord,
  NewSessionRecord,
  RecordPatch,
  Scope,
  SessionKey,
} from "./engine/session-record.js";
