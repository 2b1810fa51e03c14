import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFreePort } from "@acp-kit/configs/free-port";
import { noteEngine, redisProgram } from "./programs.js";
import { removeOnFailure } from "./remove-on-failure.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** A server for a test, in a temporary folder. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly process: ServerProcess;
  /** Kills the server, as a crash does. Its data remain. */
  kill(): Promise<void>;
  /** Starts the server again on the same port with the same data. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Kills the server and removes its folder. */
  stop(): Promise<void>;
  /** Starts a standby with a copy of all data, which follows this server. Resolves when it is not behind. */
  standby(options: StandbyOptions): Promise<TestStandby>;
}

/** Options of a standby. */
export interface StandbyOptions {
  /** The name with which the standby connects to the server. */
  readonly name: string;
  /** The port of a proxy to the server. Default: the server's own port. */
  readonly through?: number;
}

/** A server that follows another one. */
export interface TestStandby extends TestServer {
  /** Makes the standby an independent server, with the data that it has received. */
  promote(): Promise<void>;
}

/**
 * Starts Redis with an append-only file.
 *
 * @param words - more options of Redis, such as `--maxmemory 1mb`.
 */
export function startRedis(words: readonly string[] = [], password = ""): Promise<TestServer> {
  return startWith(words, password, "Ready to accept connections");
}

async function startWith(words: readonly string[], password: string, ready: string): Promise<TestStandby> {
  const program = redisProgram();
  if (program === undefined) throw new Error("redis-server is not installed");
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-redis-"));
  const fixed = ["--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""];
  const secret = password === "" ? [] : ["--requirepass", password, "--masterauth", password];
  const args = [...fixed, ...secret, ...words];
  const start = async (port: number): Promise<ServerProcess> => {
    const process = startProcess(program, ["--port", `${port}`, ...args], { cwd: folder });
    await process.until(ready);
    return process;
  };
  let { port, process } = await removeOnFailure(folder, () =>
    onFreePort(async (port) => ({ port, process: await start(port) })),
  );
  const login = password === "" ? [] : [`AUTH ${password}`];
  const run = (lines: readonly string[], reply: string): Promise<void> => command(port, [...login, ...lines], reply);
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
      process = await start(port);
    },
    freeze: () => process.freeze(),
    thaw: () => process.thaw(),
    stop: async () => {
      await process.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
    standby: async ({ through = port }) => {
      const follow = ["--replicaof", `127.0.0.1 ${through}`];
      const copy = await startWith([...words, ...follow], password, "MASTER <-> REPLICA sync: Finished with success");
      // The copy is a snapshot. Under load, the standby does not have the writes after it yet.
      await run(["SET acp-kit-servers:copied 1 EX 1", "WAIT 1 60000"], ":1\r\n");
      return copy;
    },
    promote: async () => {
      await run(["REPLICAOF NO ONE"], "+OK\r\n");
      await process.until("MASTER MODE enabled");
    },
  };
}

/** Sends inline commands, and waits for the reply of the last one. */
async function command(port: number, lines: readonly string[], reply: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  try {
    socket.setEncoding("latin1").write(`${lines.join("\r\n")}\r\n`);
    let received = "";
    for await (const text of socket) {
      received += text;
      if (received.endsWith("\r\n") && received.split("\r\n").length > lines.length) break;
    }
    if (!received.endsWith(reply)) throw new Error(`Redis replied ${JSON.stringify(received)} to ${lines.join("; ")}`);
  } finally {
    socket.destroy();
  }
}
