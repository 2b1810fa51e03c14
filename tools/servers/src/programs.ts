import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of `redis-server`; `undefined` if it is not installed. `ACP_KIT_REDIS` names another program. */
export function redisProgram(): string | undefined {
  return process.env.ACP_KIT_REDIS ?? onPath("redis-server");
}

/** Returns the folder of `postgres` and `initdb`, or of `ACP_KIT_POSTGRES`; `undefined` if not installed. */
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

/** Records that a server was started, for the last lines of `npm test`. */
export function noteEngine(name: "Redis" | "PostgreSQL"): void {
  const folder = process.env.ACP_KIT_ENGINES;
  if (folder !== undefined && existsSync(folder)) writeFileSync(join(folder, name), "");
}
