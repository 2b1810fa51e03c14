import { after, callQuietly, checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { builtin } from "./builtins.js";
import { withoutHost } from "./child-environment.js";
import { MarkedOutput } from "./marked-output.js";
import { ProcessTree } from "./process-tree.js";

/** Options of {@link loginEnvironment}. */
export interface LoginEnvironmentOptions {
  /** The shell. By default the value of `SHELL`, else the user's shell in the user database or `/bin/sh`. */
  readonly shell?: string;
  /** The milliseconds after which the shell is killed: start-up files can hang. The default is 5,000. */
  readonly timeoutMs?: number;
  /** Whether to run the shell again even if its environment is cached. */
  readonly refresh?: boolean;
  /** Called if the shell printed no environment; the result is then this process's. Its errors are ignored. */
  readonly onProblem?: (error: Error) => void;
}

const TIMEOUT_MS = 5_000;

/** The maximum number of bytes that the shell may print. */
const MAX_OUTPUT_BYTES = 4_194_304;

const key = Symbol.for("acp-kit.loginEnvironment");

/**
 * Returns the environment of the user's login shell. Use it to start agents from a program that was not started in a
 * terminal: an editor that was started from the desktop has an almost empty `PATH`. The function appends existing
 * directories of version managers and package managers to `PATH`.
 *
 * Pass the result as `env`, with `inheritEnv: false`. The function runs each shell once per process. If the shell
 * prints no environment, the result is the environment of the current process, and `onProblem` receives the reason. On
 * Windows, where shells have no environment of their own, the result is always that of the current process. The
 * returned promise rejects only for an unknown option.
 */
export async function loginEnvironment(options: LoginEnvironmentOptions = {}): Promise<Record<string, string>> {
  checkOptions("loginEnvironment", options, optionKinds);
  if (process.platform === "win32") return withoutHost(present(process.env));
  const shell = options.shell ?? (process.env.SHELL || usersShell() || "/bin/sh");
  const shared = process as { [key]?: Map<string, Promise<Record<string, string>>> };
  shared[key] ??= new Map();
  const environments = shared[key];
  const cached = options.refresh ? undefined : environments.get(shell);
  const environment = cached ?? runLoginShell(shell, options.timeoutMs ?? TIMEOUT_MS);
  environments.set(shell, environment);
  try {
    return withToolDirectories(withoutHost(await environment));
  } catch (error) {
    // Not cached, because the next attempt may succeed
    if (environments.get(shell) === environment) environments.delete(shell);
    callQuietly(() => options.onProblem?.(error as Error));
    return withToolDirectories(withoutHost(present(process.env)));
  }
}

const optionKinds: OptionKinds<LoginEnvironmentOptions> = {
  shell: "value",
  timeoutMs: "value",
  refresh: "value",
  onProblem: "function",
};

function usersShell(): string | undefined {
  try {
    return builtin("os").userInfo().shell ?? undefined;
  } catch {
    return undefined; // the user has no entry in the user database, as in some containers
  }
}

/**
 * Starts the login shell, which runs this process's Node executable. Node prints its environment between two marks,
 * because the start-up files of the shell can print text, too.
 *
 * The script for Node joins each mark from numbers, so that the text of the command does not contain the mark: a shell
 * with `set -v` or a DEBUG trap prints that text. The script contains no quotes, because shells pass them on
 * differently.
 */
function runLoginShell(shell: string, timeoutMs: number): Promise<Record<string, string>> {
  const [first, second] = crypto.getRandomValues(new Uint32Array(2));
  const output = new MarkedOutput(`${first}${second}${first}`);
  const mark = `[${first}]+[${second}]+[${first}]`;
  const program = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  const script = `-p '${mark}+JSON.stringify(process.env)+${mark}'`;
  return new Promise((resolve, reject) => {
    const { spawn } = builtin("child_process");
    const child = spawn(shell, shellArguments(builtin("path").basename(shell), program, script), {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true, // a new session, so that an interactive shell doesn't take over the terminal of this process
      env: { ...process.env, ...QUIET },
    });
    const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
    let settled = false;
    const settle = (outcome: () => void): void => {
      if (settled) return;
      settled = true;
      stopTimer();
      child.stdout.destroy();
      tree?.kill("SIGKILL");
      outcome();
    };
    const fail = (what: string, cause?: unknown): void => {
      settle(() => reject(new Error(`The login shell ${shell} ${what}.`, { cause })));
    };
    const stopTimer = after(timeoutMs, () => fail(`printed no environment within ${timeoutMs} ms`), {
      keepAlive: true,
    });
    child.on("error", (error) => fail("can't be started", error));
    child.on("exit", () => tree?.leaderEnded());
    child.on("close", (code) => fail(`ended with code ${code} without printing its environment`));
    child.stdout.on("data", (chunk: Buffer) => {
      const json = output.push(chunk);
      if (json !== undefined) {
        const env = parseVariables(json);
        if (env === undefined) fail("printed another text instead of its environment");
        else settle(() => resolve(env));
      } else if (output.bytes > MAX_OUTPUT_BYTES) fail("printed more than the limit and no environment");
    });
  });
}

/** Keeps plug-ins of shells from starting tmux or looking for updates, and Electron from starting as an app. */
const QUIET = {
  DISABLE_AUTO_UPDATE: "true",
  ZSH_TMUX_AUTOSTART: "false",
  ZSH_TMUX_AUTOSTARTED: "true",
  ELECTRON_RUN_AS_NODE: "1",
};

/** The names of variables that belong to the shell process and not to the user's environment. */
const NOT_THE_USERS = ["_", "SHLVL", "PWD", "OLDPWD"];

/** Returns the user's variables in the output, or `undefined` if the output is not a JSON object of strings. */
function parseVariables(json: string): Record<string, string> | undefined {
  const all = parse(json);
  if (!isEnvironment(all)) return undefined;
  const notTheUsers = [...Object.keys(QUIET), ...NOT_THE_USERS];
  const own = Object.entries(all).filter(([name]) => !notTheUsers.includes(name) || process.env[name] === all[name]);
  return Object.fromEntries(own);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isEnvironment(value: unknown): value is Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((variable) => typeof variable === "string");
}

function shellArguments(shell: string, program: string, script: string): string[] {
  switch (shell) {
    case "csh":
    case "tcsh":
      return ["-ic", `${program} ${script}`]; // these shells accept `-l` only without other arguments
    case "nu":
      return ["-i", "-l", "-c", `^${program} ${script}`];
    case "pwsh":
      return ["-Login", "-Command", `& ${program} ${script}`];
    default:
      return ["-i", "-l", "-c", `${program} ${script}`];
  }
}

function withToolDirectories(env: Record<string, string>): Record<string, string> {
  const { delimiter } = builtin("path");
  const path = (env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  const missing = toolDirectories(env).filter((directory) => !path.includes(directory) && isDirectory(directory));
  return { ...env, PATH: [...path, ...missing].join(delimiter) };
}

/**
 * Returns the directories into which version managers and package managers put programs. They are needed if the user's
 * shell adds them to `PATH` only when it is interactive.
 */
function toolDirectories({ HOME: home, ...env }: Record<string, string>): string[] {
  const { join } = builtin("path");
  const system = ["/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin"];
  if (home === undefined) return system;
  const nvm = env.NVM_DIR ?? join(home, ".nvm");
  return [
    ...[".local/bin", "bin", ".npm-global/bin", ".volta/bin", ".bun/bin", ".deno/bin", ".cargo/bin", "go/bin"],
    ...[".asdf/shims", ".local/share/mise/shims", ".nodenv/shims", ".pyenv/shims", ".rbenv/shims", ".proto/shims"],
    ...[".local/share/fnm/aliases/default/bin", "Library/Application Support/fnm/aliases/default/bin"],
    ...[".local/share/pnpm", "Library/pnpm", ".yarn/bin"],
  ]
    .map((directory) => join(home, directory))
    .concat(newest(join(nvm, "versions", "node")), system);
}

/** Returns the directory with the programs of the newest Node version that nvm has installed, if there is one. */
function newest(versions: string): string[] {
  try {
    const entries = builtin("fs").readdirSync(versions);
    const names = entries.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
    return names.slice(0, 1).map((name) => builtin("path").join(versions, name, "bin"));
  } catch {
    return []; // no nvm
  }
}

function isDirectory(path: string): boolean {
  try {
    return builtin("fs").statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function present(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
