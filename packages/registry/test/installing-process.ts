import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { RegistryEntry } from "../src/node/catalog/agent-registry.js";

/** A program that installs an agent in a process of its own, so that a test can kill it. */
export interface InstallProgram {
  readonly path: string;
  remove(): void;
}

/** A running {@link InstallProgram}. */
export interface InstallingProcess {
  readonly child: ChildProcess;
  /** Resolves when the output contains the text, or the process has ended. */
  until(text: string): Promise<void>;
  /** Resolves with the output when the process has ended. */
  readonly ended: Promise<string>;
}

/** Options of {@link install}. */
export interface InstallProcessOptions {
  /** A command that starts the program, such as a shell with limits. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether install scripts may run. */
  readonly scripts?: boolean;
}

/** Builds the program below this package, so that its dependencies are found. */
export async function buildInstallProgram(name: string): Promise<InstallProgram> {
  const path = join(fileURLToPath(new URL("../node_modules/.cache", import.meta.url)), name, `${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL("install-program.ts", import.meta.url))],
    outfile: path,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** Installs an agent in a new process. */
export function install(
  program: InstallProgram,
  directory: string,
  entry: RegistryEntry,
  { before = [], env, scripts = false }: InstallProcessOptions = {},
): InstallingProcess {
  const words = [...before, process.execPath, program.path, directory, JSON.stringify(entry), String(scripts)];
  const child = spawn(words[0] ?? "", words.slice(1), {
    stdio: ["ignore", "pipe", "inherit"],
    ...(env && { env: { ...env } }),
  });
  const listeners = new Set<() => void>();
  const output: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.push(text);
    for (const listener of listeners) listener();
  });
  const ended = new Promise<string>((resolve) => void child.once("close", () => resolve(output.join(""))));
  const until = (text: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => void (output.join("").includes(text) && resolve());
      listeners.add(look);
      void ended.then(() => resolve());
      look();
    });
  return { child, until, ended };
}
