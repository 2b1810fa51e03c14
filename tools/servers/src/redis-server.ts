import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { noteEngine, redisProgram } from "./programs.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** A server of a test, in a temporary folder. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly process: ServerProcess;
  /** Ends it at once, as a crash does. Its data stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Starts Redis with an append-only file. @param words more of its options, such as `--requirepass secret`. */
export async function startRedis(words: readonly string[] = [], password = ""): Promise<TestServer> {
  const program = redisProgram();
  if (program === undefined) throw new Error("redis-server is not installed");
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-redis-"));
  const port = await freePort();
  const fixed = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""];
  const args = [...fixed, ...(password === "" ? [] : ["--requirepass", password]), ...words];
  const start = async (): Promise<ServerProcess> => {
    const process = startProcess(program, args, { cwd: folder });
    await process.until("Ready to accept connections");
    return process;
  };
  let process = await start();
  noteEngine("Redis");
  return {
    url: `redis://${password === "" ? "" : `:${password}@`}127.0.0.1:${port}`,
    port,
    folder,
    get process() {
      return process;
    },
    kill: () => process.end("SIGKILL"),
    restart: async () => {
      process = await start();
    },
    freeze: () => process.freeze(),
    thaw: () => process.thaw(),
    stop: async () => {
      await process.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
