import { builtin } from "./builtins.js";
import { MarkedOutput } from "./marked-output.js";
import { ProcessTree } from "./process-tree.js";

/** How the login shell is asked. */
export interface LoginEnvironmentOptions {
  /** Default: `SHELL`, else the user's shell, else `/bin/sh`. */
  readonly shell?: string;
  /** Start-up files of shells can hang; after this long the shell is ended. Default 5,000. */
  readonly timeoutMs?: number;
  /** Ask again, although the answer is known. */
  readonly refresh?: boolean;
  /** Told when the shell gave no answer, and the environment of this process is used instead. */
  readonly onProblem?: (error: Error) => void;
}

/** The named defaults of {@link loginEnvironment}. */
export const loginEnvironmentDefaults = {
  timeoutMs: 5_000,
  /** A shell that prints more than this does not print its environment. */
  maxOutputBytes: 4_194_304,
} as const;

const key = Symbol.for("acp-kit.loginEnvironment");

/**
 * The environment that the user's login shell has, for starting agents from a program that was not started in one: an editor that
 * was started from the desktop sees hardly any `PATH`. Directories of version managers and package managers that exist are
 * added at the end of `PATH`.
 *
 * Pass it as `env`, with `inheritEnv: false`. It is asked for once per process and shell. When the shell gives no answer it is the
 * environment of this process, and `onProblem` says why; on Windows, where no shell has another one, it always is. Never rejects.
 */
export async function loginEnvironment(options: LoginEnvironmentOptions = {}): Promise<Record<string, string>> {
  if (process.platform === "win32") return present(process.env);
  const shell = options.shell ?? process.env.SHELL ?? usersShell() ?? "/bin/sh";
  const shared = process as { [key]?: Map<string, Promise<Record<string, string>>> };
  shared[key] ??= new Map();
  const answers = shared[key];
  const known = options.refresh ? undefined : answers.get(shell);
  const answer = known ?? askShell(shell, options.timeoutMs ?? loginEnvironmentDefaults.timeoutMs);
  answers.set(shell, answer);
  try {
    return withToolDirectories(await answer);
  } catch (error) {
    if (answers.get(shell) === answer) answers.delete(shell); // the next one may be luckier
    options.onProblem?.(error as Error);
    return withToolDirectories(present(process.env));
  }
}

function usersShell(): string | undefined {
  try {
    return builtin("os").userInfo().shell ?? undefined;
  } catch {
    return undefined; // a user without an entry, as containers have
  }
}

/**
 * Runs this Node in the shell, and has it print the environment it was given between two marks, because start-up files print, too.
 *
 * Each mark is two numbers that the program joins, so that the text of the command holds no mark: a shell with `set -v` or a DEBUG trap
 * prints it. The program has no quotes, which shells pass on differently.
 */
function askShell(shell: string, timeoutMs: number): Promise<Record<string, string>> {
  const [first, second] = crypto.getRandomValues(new Uint32Array(2));
  const output = new MarkedOutput(`${first}${second}${first}`);
  const mark = `[${first}]+[${second}]+[${first}]`;
  const program = `'${process.execPath.replaceAll("'", "'\\''")}'`;
  const script = `-p '${mark}+JSON.stringify(process.env)+${mark}'`;
  return new Promise((resolve, reject) => {
    const { spawn } = builtin("child_process");
    const child = spawn(shell, shellArguments(builtin("path").basename(shell), program, script), {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true, // a session of its own: an interactive shell must not reach for the terminal of this process
      env: { ...process.env, ...QUIET },
    });
    const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
    let settled = false;
    const settle = (outcome: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      child.stdout.destroy();
      tree?.kill("SIGKILL");
      outcome();
    };
    const fail = (what: string, cause?: unknown): void => {
      settle(() => reject(new Error(`The login shell ${shell} ${what}.`, { cause })));
    };
    const timer = setTimeout(() => fail(`gave no answer within ${timeoutMs} ms`), timeoutMs);
    child.on("error", (error) => fail("can't be started", error));
    child.on("exit", () => tree?.leaderEnded());
    child.on("close", (code) => fail(`ended with code ${code} and without an answer`));
    child.stdout.on("data", (chunk: Buffer) => {
      const answer = output.push(chunk);
      if (answer !== undefined) {
        const env = readAnswer(answer);
        if (env === undefined) fail("printed something else instead of its environment");
        else settle(() => resolve(env));
      } else if (output.bytes > loginEnvironmentDefaults.maxOutputBytes) fail("printed too much and no answer");
    });
  });
}

/** Keeps plug-ins of shells from starting tmux or looking for updates; and Electron from starting as an app. */
const QUIET = {
  DISABLE_AUTO_UPDATE: "true",
  ZSH_TMUX_AUTOSTART: "false",
  ZSH_TMUX_AUTOSTARTED: "true",
  ELECTRON_RUN_AS_NODE: "1",
};

/** What belongs to the shell that was asked, or to how it was asked, and not to the user's environment. */
const NOT_THE_USERS = ["_", "SHLVL", "PWD", "OLDPWD"];

/** The user's variables in an answer; `undefined` when it is not a JSON object of strings. */
function readAnswer(json: string): Record<string, string> | undefined {
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
      return ["-ic", `${program} ${script}`]; // `-l` would have to be alone
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

/** Where version managers and package managers put programs, for users whose shell doesn't say so to programs that ask. */
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

/** The programs of the newest version that nvm has installed. */
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
