import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.js";
import { noteEngine, postgresFolder } from "./programs.js";
import type { TestServer } from "./redis-server.js";
import { type ServerProcess, startProcess } from "./server-process.js";

const run = promisify(execFile);

/** The user `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** How a PostgreSQL of a test runs. */
export interface PostgresWords {
  /** More settings, such as `fsync=off`. */
  readonly settings?: readonly string[];
  /** The password of the user `postgres`. Default: none is needed. */
  readonly password?: string;
}

/** Starts PostgreSQL with a new cluster; its data are as safe as in production. */
export async function startPostgres({ settings = [], password }: PostgresWords = {}): Promise<TestServer> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-postgres-"));
  const owner = process.getuid?.() === 0 ? NOBODY : undefined;
  const data = join(folder, "data");
  const secret = join(folder, "password");
  writeFileSync(secret, `${password ?? "unused"}\n`);
  if (owner !== undefined) for (const path of [folder, secret]) chownSync(path, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const auth = password === undefined ? ["--auth", "trust"] : ["--auth", "scram-sha-256", "--pwfile", secret];
  const words = ["-D", data, "-U", "postgres", "--encoding", "UTF8", "--no-locale", "--no-sync", ...auth];
  await run(join(programs, "initdb"), words, { cwd: folder, ...owner });
  const port = await freePort();
  const all = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings];
  const args = ["-D", data, ...all.flatMap((setting) => ["-c", setting])];
  const start = async (): Promise<ServerProcess> => {
    const process = startProcess(join(programs, "postgres"), args, { cwd: folder, ...owner });
    await process.until("database system is ready to accept connections");
    return process;
  };
  let process_ = await start();
  noteEngine("PostgreSQL");
  return {
    url: `postgres://postgres${password === undefined ? "" : `:${password}`}@127.0.0.1:${port}/postgres`,
    port,
    folder,
    get process() {
      return process_;
    },
    kill: () => process_.end("SIGKILL"),
    restart: async () => {
      process_ = await start();
    },
    freeze: () => process_.freeze(),
    thaw: () => process_.thaw(),
    stop: async () => {
      await process_.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
