import { spawn } from "node:child_process";

/** A running command line. */
export interface RunningCommand {
  readonly pid: number;
  interrupt(): void;
  /** Resolves when standard error contains this text. */
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
