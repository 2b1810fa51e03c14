export { freePort } from "./free-port.js";
export { type PostgresWords, startPostgres, type TestPostgres } from "./postgres-server.js";
export { postgresFolder, redisProgram } from "./programs.js";
export { startRedis, type TestServer } from "./redis-server.js";
export { type ServerProcess, startProcess } from "./server-process.js";
