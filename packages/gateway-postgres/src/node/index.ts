// A type in the signatures of this entry.
export type { Engine } from "@acp-kit/gateway";
// For hosts.
export { type PostgresEngineOptions, postgresEngine } from "./open-engine.js";
// For tests of the engine's own code against a model of the server.
export { PostgresEngine } from "./postgres-engine.js";
export type { PostgresPort, PostgresRow } from "./postgres-port.js";
export { type PostgresStatement, type PostgresStatements, postgresStatements } from "./postgres-statements.js";
