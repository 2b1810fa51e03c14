export { type SqliteEngineOptions, sqliteEngine } from "./sqlite-engine.js";
