export { FormatError } from "./migrations.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
