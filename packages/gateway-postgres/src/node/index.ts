// The signatures of this package use this type.
export type { Engine } from "@acp-kit/gateway";
// Exports for applications that host a gateway.
export { type PostgresEngineOptions, postgresEngine } from "./open-engine.js";
// Exports for tests of the engine with a simulated server.
export { PostgresEngine } from "./postgres-engine.js";
export type { PostgresPort, PostgresRow } from "./postgres-port.js";
export { type PostgresStatement, type PostgresStatements, postgresStatements } from "./postgres-statements.js";
