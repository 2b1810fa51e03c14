// For agents.

// For other packages: open SQLite files of their own with the same checks.
export type { Database } from "libsql"; // it appears in StoreFile
export { HolderLock } from "./holder-lock.js";
export { storeError, storeErrorOf } from "./sqlite-errors.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
export { openStoreFile, type StoreFile } from "./store-file.js";
export type { StoreFormat } from "./store-format.js";
