import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of `redis-server`; `undefined` where it is not installed. `ACP_KIT_REDIS` names another one. */
export function redisProgram(): string | undefined {
  return process.env.ACP_KIT_REDIS ?? onPath("redis-server");
}

/** The folder of `postgres` and `initdb`; `undefined` where they are not installed. `ACP_KIT_POSTGRES` names another one. */
export function postgresFolder(): string | undefined {
  if (process.env.ACP_KIT_POSTGRES !== undefined) return process.env.ACP_KIT_POSTGRES;
  const versions = "/usr/lib/postgresql"; // Debian's packages put only the clients on the path
  const found = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...found.map((version) => join(versions, version, "bin")), ...pathFolders()];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

function pathFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter);
}

function onPath(name: string): string | undefined {
  return pathFolders()
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Notes that a server was really started, for the last line of `npm test`. */
export function noteEngine(name: "Redis" | "PostgreSQL"): void {
  const folder = process.env.ACP_KIT_ENGINES;
  if (folder !== undefined && existsSync(folder)) writeFileSync(join(folder, name), "");
}
