import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onFreePort } from "@acp-kit/configs/free-port";
import { noteEngine, postgresFolder } from "./programs.js";
import type { TestServer, TestStandby } from "./redis-server.js";
import { removeOnFailure } from "./remove-on-failure.js";
import { type ServerProcess, startProcess } from "./server-process.js";

const run = promisify(execFile);

/** The ids of the user `nobody`, for tests that run as root, because PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Options of a PostgreSQL server for a test. */
export interface PostgresServerOptions {
  /** Additional settings, such as `fsync=off`. */
  readonly settings?: readonly string[];
  /** The password of the user `postgres`. Default: none is needed. */
  readonly password?: string;
}

/** Starts PostgreSQL with a new cluster. It is as durable as in production, unless `settings` say otherwise. */
export async function startPostgres({ settings = [], password }: PostgresServerOptions = {}): Promise<TestServer> {
  const programs = programsOf();
  const { folder, owner } = newFolder();
  const data = join(folder, "data");
  const secret = join(folder, "password");
  writeFileSync(secret, `${password ?? "unused"}\n`);
  if (owner !== undefined) chownSync(secret, owner.uid, owner.gid);
  const auth = password === undefined ? ["--auth", "trust"] : ["--auth", "scram-sha-256", "--pwfile", secret];
  const words = ["-D", data, "-U", "postgres", "--encoding", "UTF8", "--no-locale", "--no-sync", ...auth];
  await removeOnFailure(folder, () => run(join(programs, "initdb"), words, { cwd: folder, ...owner }));
  noteEngine("PostgreSQL");
  return serverIn(folder, settings, password, "database system is ready to accept connections");
}

async function serverIn(
  folder: string,
  settings: readonly string[],
  password: string | undefined,
  ready: string,
): Promise<TestStandby> {
  const programs = programsOf();
  const owner = ownerOf();
  const all = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings];
  const args = ["-D", join(folder, "data"), ...all.flatMap((setting) => ["-c", setting])];
  const start = async (port: number): Promise<ServerProcess> => {
    const started = startProcess(join(programs, "postgres"), ["-p", `${port}`, ...args], { cwd: folder, ...owner });
    await started.until(ready);
    return started;
  };
  let { port, server } = await removeOnFailure(folder, () =>
    onFreePort(async (port) => ({ port, server: await start(port) })),
  );
  const url = `postgres://postgres${password === undefined ? "" : `:${password}`}@127.0.0.1:${port}/postgres`;
  return {
    url,
    port,
    folder,
    get process() {
      return server;
    },
    kill: () => server.end("SIGKILL"),
    restart: async () => {
      server = await start(port);
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      await server.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    standby: async ({ name, through = port }) => {
      const copy = newFolder();
      const from = `${url.replace(`:${port}/`, `:${through}/`)}?application_name=${name}`;
      const words = [
        "-D",
        join(copy.folder, "data"),
        "-d",
        from,
        "-R",
        "-X",
        "stream",
        "--checkpoint=fast",
        "--no-sync",
      ];
      await removeOnFailure(copy.folder, () =>
        run(join(programs, "pg_basebackup"), words, { cwd: copy.folder, ...copy.owner }),
      );
      const standby = await serverIn(copy.folder, settings, password, "is ready to accept read-only connections");
      const position = await query(url, "SELECT pg_current_wal_lsn()");
      await isTrue(standby.url, `SELECT pg_last_wal_replay_lsn() >= '${position}'`);
      return standby;
    },
    promote: async () => {
      await run(join(programs, "pg_ctl"), ["promote", "-w", "-D", join(folder, "data")], { cwd: folder, ...owner });
    },
  };
}

/** Returns the one value that a query returns, as text. */
async function query(url: string, sql: string): Promise<string> {
  const { stdout } = await run(join(programsOf(), "psql"), ["-X", "-A", "-t", "-c", sql, url]);
  return stdout.trim();
}

async function isTrue(url: string, sql: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await query(url, sql)) !== "t") {
    if (performance.now() > deadline) throw new Error(`Not true within a minute: ${sql}`);
    await new Promise((resolve) => setTimeout(resolve, 50)); // the server sends no event, so the query is repeated
  }
}

function programsOf(): string {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  return programs;
}

function ownerOf(): typeof NOBODY | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

function newFolder(): { readonly folder: string; readonly owner: typeof NOBODY | undefined } {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-postgres-"));
  const owner = ownerOf();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  return { folder, owner };
}
