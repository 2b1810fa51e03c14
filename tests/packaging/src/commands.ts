import { spawn } from "node:child_process";
import { basename, join } from "node:path";
import { root } from "@acp-kit/configs/packages";

/** A program with its arguments. Programs are scripts that the running Node runs, so Windows needs no shell. */
export type Command = readonly [program: string, ...args: string[]];

/** The result of a finished command. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns a command that runs a script with the running Node. */
export const node = (...args: string[]): Command => [process.execPath, ...args];

/** Returns a command of the workspace's own pnpm. */
export const pnpm = (...args: string[]): Command =>
  node(join(root, "node_modules", "pnpm", "bin", "pnpm.cjs"), ...args);

/** Returns a command of the npm that started the tests, or of the npm on the PATH. */
export function npm(...args: string[]): Command {
  const started = process.env.npm_execpath ?? "";
  return basename(started) === "npm-cli.js" ? node(started, ...args) : ["npm", ...args];
}

/** Runs a command until it ends. */
export function run([program, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, NODE_OPTIONS: "", ...env }, shell: program === "npm" };
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

/** Runs a command that must succeed. Throws its output if it fails. */
export async function succeed(command: Command, cwd: string, env?: NodeJS.ProcessEnv): Promise<Finished> {
  const finished = await run(command, cwd, env);
  if (finished.status === 0) return finished;
  throw new Error(`${command.join(" ")} (exit ${finished.status})\n${finished.stdout}${finished.stderr}`);
}
