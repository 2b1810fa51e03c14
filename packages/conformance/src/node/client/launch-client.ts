import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientProcess, ExitStatus, LaunchClient } from "../../client/client-process.js";
import { agentEnvironment, clientCommand } from "./agent-command.js";
import { openAgentSocket } from "./agent-socket.js";

/** Options for the start of the client under test. */
export interface ClientCommandOptions {
  /** The client's command and arguments, with or without placeholders; see {@link clientCommand}. */
  readonly command: readonly string[];
  /** The client's working directory. @defaultValue that of this process */
  readonly cwd?: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the agent's command is only in `ACP_KIT_AGENT` and `ACP_KIT_AGENT_JSON`, not in the arguments. */
  readonly agentInEnvironment?: boolean;
}

const stderrLimit = 10_000;
const graceMs = 1_000;

/** Returns a function that starts the client by its command, each time with an agent of its own. */
export function clientLauncher(options: ClientCommandOptions): LaunchClient {
  return async ({ onAgent, stderrBytes, prompt, env }) => {
    const socket = await openAgentSocket({ stderrBytes, onAgent });
    const folder = await mkdtemp(join(tmpdir(), "acp-kit-session-"));
    const cleanUp = async (): Promise<void> => {
      await socket.close();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const append = options.agentInEnvironment !== true;
      const [command = "", ...args] = clientCommand(options.command, {
        agent: socket.command,
        prompt,
        cwd: folder,
        append,
      });
      const child = spawn(command, args, {
        cwd: options.cwd,
        env: { ...process.env, ...env, ...options.env, ...agentEnvironment(socket.command) },
        stdio: ["pipe", "pipe", "pipe"],
        // A process group of its own, so that the kit can end all of its processes
        detached: process.platform !== "win32",
      });
      return new RunningClient(child, cleanUp);
    } catch (error) {
      await cleanUp();
      throw error;
    }
  };
}

class RunningClient implements ClientProcess {
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #cleanUp: () => Promise<void>;
  #stderr = "";

  constructor(child: ChildProcess, cleanUp: () => Promise<void>) {
    this.#child = child;
    this.#cleanUp = cleanUp;
    child.stdout?.resume(); // the kit does not read the client's output
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrLimit);
    });
    child.stdin?.on("error", () => {}); // a client may close its stdin
    this.exited = new Promise((resolve) => {
      child.on("exit", (code, signal) => resolve({ code, signal }));
      child.on("error", (error) => {
        this.#stderr += `${error.message}\n`;
        if (child.pid === undefined) resolve({ code: 127, signal: null });
      });
    });
  }

  stderr(): string {
    return this.#stderr;
  }

  type(text: string): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(text);
  }

  closeStdin(): void {
    this.#child.stdin?.end();
  }

  signal(name: string): void {
    // The signal goes only to the client's own process: in a terminal, most clients protect their agent from Ctrl+C.
    this.#child.kill(name as NodeJS.Signals);
  }

  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        signalGroup(pid, signal);
        const grace = new Promise((resolve) => {
          timer = setTimeout(resolve, graceMs);
        });
        await Promise.race([this.exited, grace]);
        clearTimeout(timer);
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      }
      signalGroup(pid, "SIGKILL"); // the rest of its group
    }
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    await this.#cleanUp();
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has no processes any more.
  }
}
