export { folderWithin } from "./folder-within.js";
export { type ReplicaLinkOptions, type ReplicaLinkServer, replicaLink } from "./replica-link.js";
export { type GatewayServer, type ServeGatewayOptions, serveGateway } from "./serve-gateway.js";
export { type SqliteEngineOptions, sqliteEngine } from "./sqlite-engine.js";
