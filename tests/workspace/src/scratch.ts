import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "@acp-kit/configs/packages";

/** The exit status and the output of a script. */
export interface Result {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A small workspace with the scripts of this one and with fake tools. */
export interface Scratch extends Disposable {
  readonly directory: string;
  write(path: string, text: string): void;
  /** Writes a script of that name into `node_modules/.bin`, for commands that a shell starts. */
  pretend(tool: string, shell: string): void;
  run(script: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Result;
}

/** The folder's name contains a space, as users' folders may. */
export function createScratch(): Scratch {
  const directory = mkdtempSync(join(tmpdir(), "acp kit-"));
  for (const path of ["scripts", "tools/configs/packages.mjs"]) {
    cpSync(join(root, path), join(directory, path), { recursive: true });
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  return {
    directory,
    write,
    pretend(tool, shell) {
      write(`node_modules/.bin/${tool}`, `#!/bin/sh\n${shell}\n`);
      chmodSync(join(directory, "node_modules", ".bin", tool), 0o755);
    },
    run(script, args = [], env = {}) {
      const result = spawnSync(process.execPath, [join(directory, script), ...args], {
        env: { ...process.env, ...env },
        encoding: "utf8",
      });
      return { status: result.status, output: result.stdout, errors: result.stderr };
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
