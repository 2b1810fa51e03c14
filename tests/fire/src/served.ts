import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@acp-kit/configs/free-port";

/** The folder of one server, with its home, its sessions and its token. */
export interface ServerHome {
  readonly home: string;
  readonly work: string;
  /** The folder in which the everything agent saves its own sessions. */
  readonly store: string;
  /** The file of the gateway's sessions. */
  readonly sessions: string;
  readonly token: string;
  readonly port: number;
  /** Kills the processes that a failed test left running, and removes the folder. */
  remove(): void;
}

/** Creates a home with a token and a free port. The port stays the same when the server is started again. */
export async function serverHome(): Promise<ServerHome> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "acp-kit-fire-"));
  const work = join(home, "work");
  mkdirSync(work);
  const token = "fire-0123456789-abcdef";
  writeFileSync(join(home, "token"), token);
  return {
    ...{ home, work, token },
    store: join(home, "store"),
    sessions: join(home, "sessions.db"),
    port: await freePort(),
    remove() {
      for (const pid of processesOf(home)) process.kill(pid, "SIGKILL");
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A running server. */
export interface RunningServer {
  readonly child: ChildProcess;
  readonly url: string;
  readonly webSocketUrl: string;
  readonly err: () => string;
  /** Resolves when standard error contains this text. Rejects when the server ends without it. */
  until(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Options for starting a server. */
export interface ServerWords {
  /** The command line, as `commandLine` of `acp-kit/test` creates it. */
  readonly program: string;
  /** The options of `serve`. Default: the sessions in a file. */
  readonly options?: readonly string[];
  /** The versions of the protocol that the agent and clients may speak. Default: 1. */
  readonly protocol?: "1" | "auto";
  /** The agent's command; default: the everything agent. */
  readonly agent?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The words before the program of Node, such as a shell that sets a limit. */
  readonly before?: readonly string[];
}

/** The command of the everything agent. @param version its only version of the protocol. Default: it speaks both. */
export function everythingAgent({ store }: ServerHome, program: string, version?: 1): string[] {
  const only = version === 1 ? ["--import", new URL("only-version-1.mjs", import.meta.url).href] : [];
  return [process.execPath, ...only, program, "demo-agent", "--pace", "0", "--store", store];
}

/** Starts `acp-kit serve` in a home, and waits until it listens. */
export async function startServer(place: ServerHome, words: ServerWords): Promise<RunningServer> {
  const { program, options, protocol = "1", agent = everythingAgent(place, program), env, before = [] } = words;
  const [command = "", ...args] = [
    ...before,
    process.execPath,
    program,
    ...["serve", "--json", "--log-level", "info", "--listen", `127.0.0.1:${place.port}`],
    ...["--token-file", join(place.home, "token"), "--protocol", protocol],
    ...(options ?? ["--engine", `sqlite:${place.sessions}`]),
    ...["--", ...agent],
  ];
  const child = spawn(command, args, {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? "", HOME: place.home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  const listeners = new Set<() => void>();
  const add = (text: string, isOut: boolean): void => {
    if (isOut) out += text;
    else err += text;
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => add(text, true));
  child.stderr.setEncoding("utf8").on("data", (text: string) => add(text, false));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const until = (isThere: () => boolean, what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isThere()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      void ended.then((code) => reject(new Error(`The server ended (${code}) without ${what}: ${err}`)));
      look();
    });
  await until(() => out.includes("\n"), "listening");
  const { url, webSocketUrl } = JSON.parse(out) as { url: string; webSocketUrl: string };
  return {
    ...{ child, url, webSocketUrl, ended },
    err: () => err,
    until: (text) => until(() => err.includes(text), text),
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** The running processes with this home, from the process table of the system. */
export function processesOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const isZombie = /^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1));
        return !isZombie && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
      } catch {
        return false; // it has ended meanwhile, or belongs to another user
      }
    });
}

/** Resolves when no process of a home runs any more. Rejects with the running ones after a while. */
export async function noProcessesOf(home: string, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let left = processesOf(home); left.length > 0; left = processesOf(home)) {
    if (performance.now() > deadline) throw new Error(`Processes are left: ${left.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 20)); // the process table has no events
  }
}

/** The agents of a server: its children. */
export function agentsOf(server: RunningServer): number[] {
  return readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

/** The texts of the prompts that the everything agent has run, from its own records. */
export function promptsRun(store: string): string[] {
  const lines = readdirSync(store)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(store, name), "utf8").split("\n"));
  // A killed agent may leave half a line, and the next one continues it.
  const prompts = lines.map((line) => line.slice(Math.max(0, line.lastIndexOf('{"type":"prompt"'))));
  return prompts
    .filter((line) => line.startsWith('{"type":"prompt"') && line.endsWith("}"))
    .map((line) => (JSON.parse(line) as { readonly prompt: readonly [{ readonly text: string }] }).prompt[0].text);
}

/** The number of prompts that ran more than once. */
export function runTwice(store: string): number {
  const prompts = promptsRun(store);
  return prompts.length - new Set(prompts).size;
}
