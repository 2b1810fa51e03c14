// For agents.

// For people who build on us: SQLite files of their own, opened with the same care.
export type { Database } from "libsql"; // it appears in StoreFile
export { HolderLock } from "./holder-lock.js";
export { storeErrorOf } from "./sqlite-errors.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
export { openStoreFile, type StoreFile } from "./store-file.js";
export type { StoreFormat } from "./store-format.js";
