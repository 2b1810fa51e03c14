export { type PostgresServerOptions, startPostgres } from "./postgres-server.js";
export { postgresFolder, redisProgram } from "./programs.js";
export { type StandbyOptions, startRedis, type TestServer, type TestStandby } from "./redis-server.js";
export { type ServerProcess, startProcess } from "./server-process.js";
export { untilAvailable } from "./until-available.js";
