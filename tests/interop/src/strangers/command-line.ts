import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";
import { build } from "esbuild";
import { ourSources } from "./our-sources.js";

/** Makes the command line runnable: as deep below its package as the built one is, since it reads the manifest from there. */
export async function buildCommandLine(): Promise<string> {
  const directory = join(root, "packages", "acp-kit");
  const main = JSON.stringify(join(directory, "src", "node", "index.ts"));
  const { outputFiles } = await build({
    stdin: {
      contents: `import { main } from ${main}; process.exit(await main(process.argv.slice(2)));`,
      resolveDir: directory,
    },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["commander"],
    plugins: [ourSources],
    logLevel: "error",
  });
  const path = join(directory, "node_modules", ".cache", `acp-kit-interop-${process.pid}.mjs`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, outputFiles[0]?.contents ?? "");
  return path;
}

/** A command line that runs. */
export interface RunningCommand {
  readonly pid: number;
  interrupt(): void;
  /** Resolves when standard error has this text. */
  until(text: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Starts a program of Node. */
export function startCommand(
  program: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): RunningCommand {
  const child = spawn(process.execPath, [program, ...words], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  let look = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    look();
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return {
    pid: child.pid ?? 0,
    interrupt: () => void child.kill("SIGINT"),
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (err.includes(text)) resolve();
        };
        look();
        void ended.then((end) => reject(new Error(`It ended without "${text}": ${JSON.stringify(end)}`)));
      }),
  };
}
